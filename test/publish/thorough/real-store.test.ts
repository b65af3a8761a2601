/**
 * A real store, such as R2: it enforces conditions, and all commands work with it. Wrangler's local R2, which other
 * tests use, differs from the service. Skipped without a bucket:
 *
 *   OFFPRINT_TEST_S3_ENDPOINT=https://ACCOUNT.r2.cloudflarestorage.com OFFPRINT_TEST_S3_BUCKET=a-bucket \
 *     OFFPRINT_TEST_S3_ID=… OFFPRINT_TEST_S3_SECRET=… npx vitest run test/publish/thorough/real-store.test.ts
 *
 * It writes below a unique prefix, and removes its files.
 */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AwsClient } from 'aws4fetch';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { pointerOf } from '../../build/output.ts';
import { LIMITS } from '../../build/publishing.ts';
import { answerOf } from '../../service/in-process.ts';
import { builtBlog } from '../publishing.ts';
import { storedFiles } from '../stored-files.ts';
import { lacks } from '../../lacks.ts';

const {
  OFFPRINT_TEST_S3_ENDPOINT: endpoint = '',
  OFFPRINT_TEST_S3_BUCKET: name = '',
  OFFPRINT_TEST_S3_ID: accessKeyId = '',
  OFFPRINT_TEST_S3_SECRET: secretAccessKey = '',
} = process.env;
const isGiven = [endpoint, name, accessKeyId, secretAccessKey].every((value) => value !== '');

describe.skipIf(lacks('a bucket', isGiven))(`the bucket ${name} at ${endpoint}`, () => {
  const prefix = `offprint-test-${randomUUID()}`;
  const aws = new AwsClient({ accessKeyId, secretAccessKey, service: 's3', region: 'auto', retries: 0 });
  const place = { endpoint, bucket: name };
  const stored = storedFiles(place, `${prefix}/`, { accessKeyId, secretAccessKey });
  const paths = async () => [...(await stored.paths()), ...(await stored.packs())];
  const command = (...args: string[]) =>
    answerOf([...args, '--to', `s3://${name}/${prefix}`, '--endpoint', endpoint], {
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
    });
  const published = z.object({ snapshot: z.string(), uploaded: z.number() });
  afterAll(async () => {
    for (const path of await paths()) await stored.remove(path);
  });

  test('creates a file once, and replaces only the given version', async () => {
    const put = (headers: Record<string, string>, body: string) =>
      aws.fetch(`${endpoint}/${name}/${prefix}/condition`, { method: 'PUT', headers, body });
    const create = () => put({ 'If-None-Match': '*' }, 'one');
    expect((await create()).status).toBe(200);
    expect((await create()).status).toBe(412);
    const etag = (await stored.headers('condition')).get('etag') ?? '';
    const replace = (text: string) => put({ 'If-Match': etag }, text);
    const both = await Promise.all([replace('two'), replace('three')]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 412]));
    expect((await replace('four')).status).toBe(412);
    await stored.remove('condition');
  });

  test('accepts snapshots and changes, rolls back, prunes, and keeps nothing withdrawn', async () => {
    const blog = await builtBlog(60);
    const first = published.parse(await command('publish', '--out', blog.out));
    expect(first.snapshot).toBe(pointerOf(blog.out).snapshot);
    await blog.addPost('the-news');
    const second = published.parse(await command('publish', '--out', blog.out));
    expect(second.uploaded).toBeLessThan(40);
    expect(await command('snapshots', 'verify')).toMatchObject({ snapshot: second.snapshot });
    expect(await stored.pointer()).toMatchObject({
      snapshot: second.snapshot,
      previous: [{ snapshot: first.snapshot }],
    });

    await command('snapshots', 'rollback', first.snapshot);
    expect(await stored.pointer()).toMatchObject({ held: true });
    await command('snapshots', 'release');
    await command('publish', '--out', blog.out);
    expect(await stored.pointer()).toMatchObject({ snapshot: second.snapshot, held: false });
    await stored.write('objects/body/aa/aaaaaaaaaaaaaaaaaaaaaaaaaa', '{}');
    await command('snapshots', 'prune', '--now');
    expect(await paths()).not.toContain('objects/body/aa/aaaaaaaaaaaaaaaaaaaaaaaaaa');
    expect(await command('snapshots', 'verify')).toMatchObject({ snapshot: second.snapshot });

    const texts = async () => (await Promise.all((await paths()).map(stored.read))).join('\n');
    expect(await texts()).toContain('Title of the-news');
    const config = join(blog.out, 'offprint.json');
    writeFileSync(config, JSON.stringify({ limits: LIMITS }));
    await command('withdraw', 'the-news', '--db', blog.db, '--out', blog.out, '--config', config);
    expect(await texts()).not.toContain('Title of the-news'); // The record of changes has slugs, and no texts.
  });
});
