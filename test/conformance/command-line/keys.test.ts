import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { offprint } from '../../service/command.ts';
import { answerOf } from '../../service/in-process.ts';
import { createKey } from '../../service/key-commands.ts';
import { writeEmptyBlog } from '../../service/odd-blog.ts';
import { expectFailure, usePlace } from './place.ts';

const place = usePlace();
const files = ['--db', place.path('blog.db'), '--out', place.path('out')];
const listed = z.array(
  z.object({
    prefix: z.string(),
    account: z.string(),
    name: z.string(),
    scopes: z.array(z.string()),
    revoked_at: z.string().nullable(),
  }),
);
const list = async () => listed.parse(await answerOf(['keys', 'list', ...files]));

beforeAll(() => writeEmptyBlog(place.path('blog.db')));

describe('keys', () => {
  test('create prints the key once, in the documented format', async () => {
    const created = await createKey(files, { account: 'ada', name: 'first' });
    expect(created.key).toMatch(/^opk_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
    expect(created.prefix).toBe(created.key.slice(0, 12));
    expect(created).toMatchObject({ account: 'ada', name: 'first' });
    expect(created.scopes.toSorted()).toEqual(['authors:read', 'blog:read', 'taxonomy:read']);
  });

  test('list shows all keys without their secrets', async () => {
    const { key, prefix } = await createKey(files, {
      account: 'grace',
      name: 'narrow',
      scopes: ['blog:read'],
    });
    const { stdout } = await offprint(['keys', 'list', ...files]);
    expect(stdout).toContain(prefix);
    expect(stdout).not.toContain(key.slice(13));
    expect((await list()).find((row) => row.prefix === prefix)).toEqual({
      prefix,
      account: 'grace',
      name: 'narrow',
      scopes: ['blog:read'],
      revoked_at: null,
    });
  });

  test('revoke takes a whole key, and rotate says that a key is revoked already', async () => {
    const made: unknown = JSON.parse(
      (await offprint(['keys', 'create', '--account', 'leaky', '--name', 'leaked', '--json', ...files]))
        .stdout,
    );
    const { key, prefix } = z.object({ key: z.string(), prefix: z.string() }).parse(made);
    const revoked = await offprint(['keys', 'revoke', key, ...files]);
    expect(revoked, revoked.stderr).toMatchObject({ code: 0 });
    expect(revoked.stdout).not.toContain(key);
    expect((await list()).find((row) => row.prefix === prefix)?.revoked_at).not.toBeNull();
    expect((await offprint(['keys', 'rotate', prefix, '--json', ...files])).stderr).toMatch(
      /is revoked already\. Create another/,
    );
  });

  test.each(['revoke', 'rotate'])('%s of a key that does not exist', async (command) => {
    expectFailure(await offprint(['keys', command, 'opk_AAAAAAAA', ...files, '--json']), /opk_AAAAAAAA/);
  });
});
