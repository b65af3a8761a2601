/** What happens to an output or a bucket whose snapshot has an earlier format. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FolderStorage } from '../../../build/history/folder-storage.ts';
import { verify } from '../../../build/history/verify.ts';
import { POINTER_PATH } from '../../../contract/pointer.ts';
import { FORMAT } from '../../../contract/snapshot.ts';
import { startMemoryStore } from '../../publish/memory-store.ts';
import { publishTo } from '../../publish/publishing.ts';
import { offprintInProcess } from '../../service/in-process.ts';
import { BUCKET_ENVIRONMENT } from '../../service/bucket-credentials.ts';
import { filesIn, pointerOf } from '../output.ts';
import { publish, shortBlog } from '../publishing.ts';
import { blogPaths } from '../temporary-folder.ts';
import { expectOneLine } from '../untouched.ts';

/** A published blog whose pointer has another format. */
async function blogOf(format: number) {
  const { folder, db, out } = blogPaths();
  shortBlog(db, 20, 4);
  await publish(db, out);
  const pointer = JSON.stringify({ ...pointerOf(out), format });
  writeFileSync(join(out, POINTER_PATH), pointer);
  return { folder, db, out, pointer };
}

test.each([
  ['serve', '--port', '0'],
  ['snapshots', 'list'],
  ['snapshots', 'verify'],
  ['snapshots', 'rollback', 'a'],
  ['snapshots', 'prune', '--now'],
  ['export', 'exported'],
])('an output of an earlier format is refused in one line by %s %s', async (...args) => {
  const { folder, out } = await blogOf(FORMAT - 1);
  const published = () => filesIn(out).filter((path) => !path.startsWith('state/'));
  const before = published();
  const words = args.map((word) => (word === 'exported' ? join(folder, word) : word));
  expect(expectOneLine(await offprintInProcess([...words, '--out', out]))).toMatch(
    new RegExp(
      `^error: The pointer snapshot.json cannot be read: it has format ${FORMAT - 1}, and this version reads ` +
        `format ${FORMAT}. Run "build" to write it again`,
    ),
  );
  expect(published()).toEqual(before);
});

test('such an output is rebuilt, also if only part of its objects is left', async () => {
  const { db, out } = await blogOf(FORMAT - 1);
  rmSync(join(out, 'objects', 'lines'), { recursive: true });
  const status = await offprintInProcess(['status', '--out', out]);
  expect(status).toMatchObject({ code: 3, stdout: expect.stringMatching(/^Nothing is served from/) });
  await publish(db, out);
  expect(pointerOf(out)).toMatchObject({ format: FORMAT, previous: [] });
  expect((await verify(new FolderStorage(out), pointerOf(out))).faults).toEqual([]);
});

test('a bucket of an earlier format is replaced only by publish --full, and a newer one never', async () => {
  const store = await startMemoryStore();
  onTestFinished(() => store.close());
  const { db, out, pointer } = await blogOf(FORMAT - 1);
  await publish(db, out);
  const put = (text: string) => store.files.set(`blog/here/${POINTER_PATH}`, Buffer.from(text));
  put(pointer);
  const to = ['--out', out, '--to', 's3://blog/here', '--endpoint', store.endpoint];
  for (const command of [['snapshots', 'verify'], ['snapshots', 'release'], ['publish']])
    expect(expectOneLine(await offprintInProcess([...command, ...to], BUCKET_ENVIRONMENT))).toMatch(
      /snapshot.json in s3:\/\/blog\/here cannot be read: it has format .*publish.* --full/,
    );
  await publishTo(store.endpoint, 's3://blog/here', out, { full: true });
  expect(store.pointer('blog/here')).toMatchObject({ snapshot: pointerOf(out).snapshot, previous: [] });
  put(JSON.stringify({ ...pointerOf(out), format: FORMAT + 1 }));
  await expect(publishTo(store.endpoint, 's3://blog/here', out, { full: true })).rejects.toThrow(
    'Upgrade Offprint',
  );
});
