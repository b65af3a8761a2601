import { PostUnreadable } from '../../common/content/errors.ts';
import { textOfHtml } from '../../common/content/html-text.ts';
import { openArchive, type ArchivedFile } from '../sources/archive.ts';
import { NotAnExport } from '../errors.ts';
import { atomText, linkOf } from '../xml/atom.ts';
import { noPost, unreadPart, unreadPost } from '../article/unread.ts';
import type { ImportedItem } from '../imported-item.ts';
import { childrenNamed, childText, readXml, type XmlElement, type XmlEnd } from '../xml/elements.ts';
import { XmlUndecodable, xmlText } from '../xml/text.ts';
import { isInTrash, kindOf } from './entry.ts';
import { postFrom } from './post.ts';

const SHAPE = { containers: new Set(['atom:feed']), records: new Set(['atom:entry']) };
/** The files of an archive that may be a blog. */
export const PARTS = /(?:^|\/)feed\.atom$|\.xml$/i;
const HOW = 'In Blogger, choose Settings, "Back up content", and give the file or the archive that it saves.';

/**
 * Reads an export of Blogger: an XML file, or an archive of Google Takeout with one `feed.atom` for each blog. The
 * steps:
 *
 *     openArchive   the file, the zip file, or the folder           ../sources/archive.ts
 *     readXml       XML → entries, one at a time                    ../xml/elements.ts
 *     kindOf        posts, pages, comments, settings                entry.ts
 *     postFrom      the fields of a post                            post.ts
 *
 * @throws ExportMissing, PathUnreadable, ArchiveInvalid, NotAnExport
 */
export async function* readBloggerExport(
  path: string,
  { now }: { readonly now: Date },
): AsyncGenerator<ImportedItem> {
  const archive = await openArchive(path);
  try {
    const [only, ...others] = archive.files;
    const files =
      others.length === 0 && only !== undefined
        ? [only]
        : archive.files.filter((file) => PARTS.test(file.path));
    if (files.length === 0) throw new NotAnExport(path, 'Blogger', 'it has no file feed.atom', HOW);
    let found = 0;
    let fault = 'it has no entry with a kind. A feed is read by "import feed"';
    for (const file of files) {
      try {
        for await (const item of itemsOf(file, path, now)) {
          if (item.kind === 'blog') found += 1;
          yield item;
        }
      } catch (error) {
        if (!(error instanceof PostUnreadable)) throw error;
        fault = `its ${file.path} ${error.message}`;
        yield unreadPart(file.path, error.message);
      }
    }
    if (found === 0) throw new NotAnExport(path, 'Blogger', fault, HOW);
  } finally {
    archive.close();
  }
}

async function* itemsOf(file: ArchivedFile, path: string, now: Date): AsyncGenerator<ImportedItem> {
  const fields: XmlElement[] = [];
  const others = new Map<string, number>();
  let isBegun = false;
  let count = 0;
  for await (const entry of entriesOf(file, path)) {
    if (entry.kind === 'end') {
      if (isBegun) yield* endOf(file.path, entry.end, others, count);
      return;
    }
    const { element } = entry;
    if (element.name !== 'atom:entry') {
      if (fields.length < 100) fields.push(element);
      continue;
    }
    const kind = kindOf(element);
    // A feed of the blog, or another program's file in the same folder.
    if (!isBegun && kind === '') return;
    if (!isBegun) yield blogOf(fields, element);
    isBegun = true;
    count += 1;
    if (kind === 'post') yield itemFrom(element, entry.kind === 'too large', now);
    else if (kind === 'page') yield ended(element, 'is a page, not a post');
    else others.set(kind, (others.get(kind) ?? 0) + 1);
  }
}

async function* entriesOf(file: ArchivedFile, path: string) {
  try {
    yield* readXml(xmlText(file.chunks()), SHAPE);
  } catch (error) {
    if (error instanceof XmlUndecodable)
      throw new NotAnExport(path, 'Blogger', `${file.path}: ${error.message}`, HOW);
    throw error;
  }
}

function blogOf(fields: readonly XmlElement[], first: XmlElement): ImportedItem {
  const root: XmlElement = { name: '', attributes: {}, children: fields, base: null, language: null };
  const [title] = childrenNamed(root, 'atom:title');
  const name = title === undefined ? '' : textOfHtml(atomText(title));
  const key = blogIdOf(childText(root, 'atom:id')) ?? blogIdOf(childText(first, 'atom:id'));
  const home = linkOf(root, 'alternate', null);
  return {
    kind: 'blog',
    blog: {
      ...{ format: 'blogger', key, name: name || 'Blogger', isWhole: true },
      ...(key === null ? {} : { owns: `blogger:${key}.` }),
      site: { name, url: home === '' ? null : home },
    },
  };
}

/** `blog-123` of `tag:blogger.com,1999:blog-123.post-456`. */
function blogIdOf(id: string): string | null {
  return /\bblog-\d+/.exec(id)?.[0] ?? null;
}

/** `blogger:blog-123.post-456`: the same for both kinds of export. */
function sourceOf(entry: XmlElement): string | null {
  const id = childText(entry, 'atom:id').replace(/^tag:blogger\.com,1999:/, '');
  return id === '' ? null : `blogger:${id}`;
}

function itemFrom(entry: XmlElement, isTooLarge: boolean, now: Date): ImportedItem {
  const source = sourceOf(entry);
  const label = `"${textOfHtml(childText(entry, 'atom:title')).slice(0, 200)}"`;
  if (source === null) return unreadPart(label, 'has no id');
  if (isInTrash(entry)) return ended(entry, 'is in the trash');
  try {
    if (isTooLarge) throw new PostUnreadable('is larger than any post');
    return { kind: 'post', post: postFrom(entry, source, now) };
  } catch (error) {
    return unreadPost(error, source);
  }
}

/** A post that Blogger itself does not show. */
function ended(entry: XmlElement, reason: string): ImportedItem {
  const source = sourceOf(entry) ?? 'an entry without an id';
  return noPost(source, reason, source);
}

function* endOf(
  path: string,
  { isWhole }: XmlEnd,
  others: ReadonlyMap<string, number>,
  count: number,
): Generator<ImportedItem> {
  for (const [kind, number] of others) {
    const reason = `${number} ${number === 1 ? 'entry' : 'entries'} of the kind "${kind}" ${number === 1 ? 'is' : 'are'} no post`;
    yield { kind: 'skipped', skipped: { source: path, reason, count: number, noPost: true } };
  }
  if (isWhole) return;
  const reason = `the file breaks off after ${count} whole ${count === 1 ? 'entry' : 'entries'}; export it again for the rest`;
  yield unreadPart(path, reason);
}
