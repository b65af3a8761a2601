/**
 * `start --publish-to`: a bucket follows the schedule, without delaying requests.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { PREFIX } from '../../../contract/api.ts';
import { startOffprint } from '../../build/offprint-process.ts';
import { pointerOf } from '../../build/output.ts';
import { CONFIG, editing } from '../../build/publishing.ts';
import { temporaryFolder } from '../../build/temporary-folder.ts';
import { send } from '../../service/client.ts';
import { answerOf, offprintInProcess } from '../../service/in-process.ts';
import { BUCKET_ENVIRONMENT } from '../../service/bucket-credentials.ts';
import { type LocalBucket, startLocalBucket } from '../../service/local-bucket.ts';
import { insertPost } from '../../service/odd-blog.ts';
import { proxied } from '../proxy.ts';
import { builtBlog } from '../publishing.ts';
import { storedFiles } from '../stored-files.ts';

let local: LocalBucket;
beforeAll(async () => void (local = await startLocalBucket()));
afterAll(() => local.close());

test('publishes at the start, after each export and after changes of keys; a failure is reported and retried', async () => {
  const { db, out } = await builtBlog(10);
  const stored = storedFiles(local, 'started/');
  const to = `s3://${local.bucket}/started`;
  const proxy = await proxied(local.endpoint);
  proxy.fault = () => ({ status: 403 });

  const files = ['--db', db, '--out', out];
  const config = join(temporaryFolder(), 'offprint.json');
  writeFileSync(config, CONFIG);
  const args = ['start', ...files, '--config', config, '--port', '0', '--publish-to', to];
  const running = startOffprint([...args, '--cron', '* * * * * *', '--endpoint', proxy.endpoint], {
    env: BUCKET_ENVIRONMENT,
  });
  onTestFinished(async () => void (await running.end('SIGTERM')));
  await running.printed(/not uploaded: .* with 403, Injected\. Check AWS_ACCESS_KEY_ID/);
  const status = async () => {
    const { results }: { results: readonly { readonly subject: string }[] } = JSON.parse(
      (await offprintInProcess(['status', '--out', out, '--json'])).stdout,
    );
    return results.find(({ subject }) => subject === to);
  };
  expect(await status()).toMatchObject({
    report: null,
    message: expect.stringContaining('with 403'),
  });

  // Serving continues even if the service does not answer at all.
  const url = /http:\/\/[\d.]+:\d+/.exec(running.stdout)?.[0] ?? '';
  let hanging = 0;
  proxy.fault = () => ((hanging += 1), 'hang');
  while (hanging === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await send(url, { path: `${PREFIX}/posts` })).toMatchObject({ status: 200 });
  editing(db, (blog) => insertPost(blog, { slug: 'not-held-up', publishedAt: '2026-09-20T10:00:00Z' }));
  await running.printed(/switched to snapshot/);
  expect(await send(url, { path: `${PREFIX}/posts/not-held-up` })).toMatchObject({ status: 200 });

  // It recovers. Later builds follow the publish that hung.
  proxy.fault = () => undefined;
  proxy.breakConnections();
  await running.printed(`snapshot ${pointerOf(out).snapshot} to ${to}: `);
  expect((await stored.pointer()).snapshot).toBe(pointerOf(out).snapshot);
  expect(await stored.faults()).toEqual([]);

  await answerOf(['keys', 'create', ...files, '--account', 'ada', '--name', 'site']);
  await running.printed(`to ${to}: 1 key`);
  const keys = (await stored.paths()).filter((path) => path.startsWith('keys/'));
  expect(keys).toHaveLength(1); // `start` creates no key if nobody could read it.
  expect(await status()).toMatchObject({
    report: { report: { snapshot: pointerOf(out).snapshot } },
    since: null,
  });

  expect(await running.end('SIGTERM')).toBe(0);
  expect(running.stderr.match(/not uploaded/g)).toHaveLength(1);
});
