import { basename, join } from 'node:path';
import { ExportMissing, ImportError, type NotAnExport, NotAPost } from '../errors.ts';
import { filesBelow, mustBeReadable, statIfExists } from '../sources/files.ts';
import { noPost, postItems, unread } from '../article/outcome.ts';
import type { ReadItem } from '../imported-item.ts';
import type { ReadOptions } from '../read-options.ts';
import { SILENT } from '../../common/progress.ts';
import { htmlToText } from '../../common/content/html-text.ts';
import { childText, type XmlEnd } from '../xml/elements.ts';
import { readExport } from './entries.ts';
import { getText, getType, identifyItem, isEmptyItem, type Item } from './item.ts';
import { postFrom } from './post.ts';
import { whyHidden } from './restrictions.ts';
import { type Site, surveySites } from './survey.ts';

/** A file of an export, and its name in the report. */
interface ExportFile {
  readonly path: string;
  readonly name: string;
}

/**
 * Reads exports of WordPress (WXR: its XML file, or the files of one that was split, or a folder of them). They are
 * read twice, since posts precede the images that they show, with one item in memory at most. The steps for a file:
 *
 *     readParts     the files                                              here
 *     surveySites   first reading: the site, its authors, its images       survey.ts
 *     readExport    bytes → text → XML → items                             entries.ts, ../xml/elements.ts
 *     postFrom      the fields of a post                                   post.ts
 *     renderBody    blocks, shortcodes, paragraphs → HTML                  body.ts
 *
 * Each item becomes a post or is skipped with a reason. Attachments and other items that are not posts are counted by
 * type.
 *
 * @throws ExportMissing, NotAnExport
 */
export async function* readWordPressExport(
  paths: readonly string[],
  { progress = SILENT }: Pick<ReadOptions, 'progress'>,
): AsyncGenerator<ReadItem> {
  const parts: ExportFile[] = [];
  for (const path of paths) yield* readParts(path, parts);
  progress.begin('reading files', 2 * parts.length);
  try {
    const unusable = new Map<string, NotAnExport>();
    const sites = await surveySites(
      parts.map(({ path }) => path),
      (error, file) => void unusable.set(file, error),
      () => progress.advance(1),
    );
    // A folder of many files may contain another kind of file; a file that was named, or all files, must be exports.
    const [first] = unusable.values();
    const named = paths.map((path) => unusable.get(path)).find((error) => error !== undefined);
    if (named !== undefined) throw named;
    if (first !== undefined && unusable.size === parts.length) throw first;
    for (const { path, name } of parts) {
      const site = sites.get(path);
      if (site !== undefined) yield* readItems(path, name, site);
      else yield unread(name, `is not a WordPress export: ${unusable.get(path)?.why}`);
      progress.advance(1);
    }
  } finally {
    progress.end();
  }
}

/** The files at `path`; files of a folder are sorted by name. */
async function* readParts(path: string, parts: ExportFile[]): AsyncGenerator<ReadItem> {
  const found = await statIfExists(path);
  if (found === null) throw new ExportMissing(path);
  if (!found.isDirectory()) {
    await mustBeReadable(path);
    parts.push({ path, name: basename(path) });
    return;
  }
  for (const file of await filesBelow(path)) {
    if (file.kind === 'skipped')
      yield { kind: 'skipped', skipped: { source: file.path, reason: file.reason } };
    else if (!/\.(?:xml|wxr)$/i.test(file.path)) yield noPost(file.path, 'is not an XML file');
    else parts.push({ path: join(path, file.path), name: file.path });
  }
  if (parts.length === 0)
    throw new ImportError(
      `${path} is a folder without an XML file, so it has no WordPress export. ` +
        'Give the XML file. To import a folder of Markdown, run "import markdown".',
    );
}

async function* readItems(path: string, name: string, site: Site): AsyncGenerator<ReadItem> {
  const { key, name: title, url } = site;
  yield {
    kind: 'blog',
    blog: {
      format: 'wordpress',
      key: key || null,
      name: key,
      isComplete: false,
      site: { name: title, url },
    },
  };
  const others = new Map<string, number>();
  let count = 0;
  for await (const entry of readExport(path)) {
    if (entry.kind === 'end') {
      for (const [type, number] of others) yield noPost(name, describeType(type, number), { count: number });
      if (!entry.end.isComplete) yield truncationItem(name, count, entry.end);
    }
    if (entry.kind !== 'item') continue;
    count += 1;
    const type = getType(entry.item);
    if (isEmptyItem(entry.item)) yield noPost(name, `item ${count} is empty`);
    else if (type === 'post' || type === 'page') yield* itemsFrom(entry.item, type, site);
    else others.set(type, (others.get(type) ?? 0) + 1);
  }
}

function itemsFrom(item: Item, type: 'post' | 'page', site: Site): Generator<ReadItem> {
  const part = type === 'page' ? 'is a page, not a post' : PARTS.get(getText(item, 'wp:status'));
  return postItems(
    identifyItem(item, site.key),
    (lose) => {
      if (part !== undefined) throw new NotAPost(part);
      return whyHidden(item) ?? postFrom(item, site, lose);
    },
    { title: htmlToText(getText(item, 'title')) },
  );
}

/** Items of the type `post` that are none, by status. */
const PARTS = new Map([
  ['auto-draft', 'is an automatic draft'],
  ['inherit', 'is an earlier version of a post'],
]);

function describeType(type: string, count: number): string {
  if (type === 'attachment')
    return `${count} ${count === 1 ? 'attachment is not a post' : 'attachments are not posts'}`;
  return `${count} ${count === 1 ? 'item' : 'items'} of the type "${type}" ${count === 1 ? 'is not a post' : 'are not posts'}`;
}

function truncationItem(name: string, count: number, end: XmlEnd): ReadItem {
  const cut = end.cut?.name === 'item' ? end.cut : null;
  const title = htmlToText(cut === null ? '' : childText(cut, 'title'));
  const where = cut === null ? 'after' : `${title === '' ? 'in an item' : `in "${title}"`}, after`;
  const what = `the file is cut off ${where} ${count} complete ${count === 1 ? 'item' : 'items'}`;
  const reason = `${what}; export it again to get the rest`;
  return { kind: 'skipped', skipped: { source: name, reason, count: cut === null ? 0 : 1 }, kept: '' };
}
