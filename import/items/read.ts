import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { unread } from '../article/outcome.ts';
import { ImportError } from '../errors.ts';
import type { ReadItem } from '../imported-item.ts';
import type { ReadOptions } from '../read-options.ts';
import { mustBeFile } from '../sources/files.ts';
import { BadLine, type LineItem, readLine } from './line.ts';
import { type Line, MAX_LINE, splitLines } from './lines.ts';

/**
 * Reads items that another program wrote: one JSON object per line. A bad line is reported, and its post is kept. The
 * blog is complete only if the last line is an `end` with the right number of posts: a program that crashes removes
 * nothing.
 *
 * @param path a file, or `-` for standard input
 * @throws ExportMissing, FileIsFolder, PathUnreadable, ImportError if it does not begin with its blog
 */
export async function* readItems(
  path: string,
  { complete = false }: Pick<ReadOptions, 'complete'>,
): AsyncGenerator<ReadItem> {
  let isFirst = true;
  let posts = 0;
  let end: number | null = null;
  let fault: string | null = null;
  for await (const line of splitLines(await openInput(path))) {
    if (end !== null) fault = `line ${line.number} comes after "end"`;
    const { item, unknown } = tryLine(line);
    if (isFirst && !('kind' in item && item.kind === 'blog'))
      throw new ImportError(
        `${path} does not say which blog its items are from. Begin it with a line such as: ` +
          '{"kind":"blog","name":"My blog","url":"https://blog.example"}',
      );
    if (item instanceof BadLine ? item.isPost : item.kind === 'post' || item.kind === 'hidden') posts += 1;
    if (item instanceof BadLine) yield skippedLine(line, item);
    else if (item.kind === 'end') end = item.posts;
    else if (item.kind !== 'blog') yield item;
    else if (!isFirst)
      yield skippedLine(line, new BadLine('kind: only the first line can be "blog"', { kind: 'blog' }));
    else {
      const { name, url } = item; // It is known by its address, or else by its name.
      yield {
        kind: 'blog',
        blog: { format: 'items', key: url, name, isComplete: false, site: { name, url } },
      };
    }
    for (const what of unknown) yield { kind: 'loss', loss: { what, source: `line ${line.number}` } };
    isFirst = false;
  }
  if (end !== null && end !== posts) fault = `its "end" line says ${end} posts, but it has ${posts}`;
  if (end !== null && fault === null) yield { kind: 'complete' };
  else if (end === null && !complete)
    yield { kind: 'note', text: 'There is no "end" line, so missing posts are kept.' };
  else {
    const reason = `${fault ?? 'it has no "end" line'}, so missing posts are kept`;
    yield unread(path, reason);
  }
}

async function openInput(path: string): Promise<Readable> {
  if (path === '-') return process.stdin;
  await mustBeFile(path);
  return createReadStream(path, { highWaterMark: 1 << 20 });
}

/** The item of a line, or why it has none, and what of it is not known. */
function tryLine({ bytes }: Line): { item: LineItem | BadLine; unknown: readonly string[] } {
  const unknown: string[] = [];
  try {
    if (bytes === null) throw new BadLine(`has more than ${MAX_LINE / 1_000_000} MB`);
    return { item: readLine(bytes, (what) => void unknown.push(what)), unknown };
  } catch (error) {
    if (error instanceof BadLine) return { item: error, unknown: [] };
    throw error;
  }
}

function skippedLine({ number }: Line, { message: reason, id, kept }: BadLine): ReadItem {
  const source = id === null ? `line ${number}` : `line ${number} (${id})`;
  return { kind: 'skipped', skipped: { source, reason }, ...(kept === undefined ? {} : { kept }) };
}
