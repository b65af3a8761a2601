import { readdirSync, readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { offprint, offprintJson } from '../../service/command.ts';
import { createKey, rotateKey } from '../../service/key-commands.ts';
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
const list = async () => listed.parse(await offprintJson(['keys', 'list', ...files]));

beforeAll(() => writeEmptyBlog(place.path('blog.db')));

describe('keys', () => {
  test('create prints the key once, in the documented format', async () => {
    const created = await createKey(files, { account: 'ada', name: 'first' });
    expect(created.key).toMatch(/^opk_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
    expect(created.prefix).toBe(created.key.slice(0, 12));
    expect(created).toMatchObject({ account: 'ada', name: 'first' });
    expect(created.scopes.toSorted()).toEqual(['authors:read', 'blog:read', 'taxonomy:read']);
  });

  test('only the SHA-256 of a key is stored', async () => {
    const { key } = await createKey(files, { account: 'ada', name: 'kept as a hash' });
    const hash = createHash('sha256').update(key).digest('hex');
    expect(readdirSync(place.path('out/keys'))).toContain(`${hash}.json`);
    for (const file of readdirSync(place.folder, { recursive: true, withFileTypes: true })) {
      if (file.isFile())
        expect(readFileSync(`${file.parentPath}/${file.name}`).includes(key.slice(13))).toBe(false);
    }
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

  test('revoke marks the key as revoked', async () => {
    const { prefix } = await createKey(files, { account: 'ada', name: 'to go' });
    expect((await offprint(['keys', 'revoke', prefix, ...files])).code).toBe(0);
    expect((await list()).find((row) => row.prefix === prefix)?.revoked_at).not.toBeNull();
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

  test('rotate revokes a key and creates a new one like it', async () => {
    const old = await createKey(files, {
      account: 'ada',
      name: 'to turn',
      scopes: ['authors:read', 'blog:read'],
    });
    const heir = await rotateKey(files, old.prefix);
    expect(heir.prefix).not.toBe(old.prefix);
    expect(heir).toMatchObject({ account: 'ada', name: 'to turn' });
    expect(heir.scopes.toSorted()).toEqual(['authors:read', 'blog:read']);
    const rows = await list();
    expect(rows.find(({ prefix }) => prefix === old.prefix)?.revoked_at).not.toBeNull();
    expect(rows.find(({ prefix }) => prefix === heir.prefix)?.revoked_at).toBeNull();
  });

  test.each(['revoke', 'rotate'])('%s of a key that does not exist', async (command) => {
    expectFailure(await offprint(['keys', command, 'opk_AAAAAAAA', ...files, '--json']), /opk_AAAAAAAA/);
  });

  test('many parallel commands all work', async () => {
    const before = (await list()).length;
    const names = Array.from({ length: 6 }, (_, index) => `at once ${index}`);
    const created = await Promise.all(names.map((name) => createKey(files, { account: name, name })));
    expect(new Set(created.map(({ prefix }) => prefix)).size).toBe(names.length);
    expect((await list()).length).toBe(before + names.length);
    const kept = readdirSync(place.path('out/keys'));
    for (const { key } of created) {
      expect(kept).toContain(`${createHash('sha256').update(key).digest('hex')}.json`);
    }
  });
});
