import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ZipFile } from 'yazl';
import type { ImportedItem, ImportedPost } from '../../../import/imported-item.ts';
import { folderOf } from '../folder.ts';

export interface ReadArchive {
  readonly items: readonly ImportedItem[];
  readonly posts: readonly ImportedPost[];
  /** `source: reason`, in order. */
  readonly skipped: readonly string[];
  /** `what: detail`, in order. */
  readonly lost: readonly string[];
}

export async function collected(read: AsyncIterable<ImportedItem>): Promise<ReadArchive> {
  const items: ImportedItem[] = [];
  for await (const item of read) items.push(item);
  return {
    items,
    posts: items.flatMap((item) => (item.kind === 'post' ? item.post : [])),
    skipped: items.flatMap((item) =>
      item.kind === 'skipped' ? `${item.skipped.source}: ${item.skipped.reason}` : [],
    ),
    lost: items.flatMap((item) => (item.kind === 'loss' ? `${item.loss.what}: ${item.loss.detail}` : [])),
  };
}

/** A zip file with these files, for the duration of the test. */
export async function zipOf(
  files: Readonly<Record<string, string | Buffer>>,
  name = 'export.zip',
): Promise<string> {
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), path);
  zip.end();
  const parts: Buffer[] = [];
  for await (const part of zip.outputStream) parts.push(Buffer.from(part));
  const path = join(folderOf({}), name);
  writeFileSync(path, Buffer.concat(parts));
  return path;
}
