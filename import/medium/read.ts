import { resolve } from 'node:path';
import { openArchive, pageText, type Archive, type ArchivedFile } from '../sources/archive.ts';
import { NotAnExport } from '../errors.ts';
import { unreadPart, unreadPost } from '../article/unread.ts';
import { attributeOf, firstOfClass, parseHtml } from '../../common/content/html-tree.ts';
import { plainText } from '../../common/content/html-text.ts';
import type { ImportedItem } from '../imported-item.ts';
import { postFrom, sourceOf } from './post.ts';

const HOW =
  'In Medium, choose Settings, Security and apps, "Download your information", and give the archive that it sends.';
export const STORY = /(?:^|\/)posts\/[^/]+\.html$/i;
const PROFILE = /(?:^|\/)profile\/profile\.html$/i;

/**
 * Reads Medium's export: a zip file, or its folder, with a page for each story, draft and response.
 *
 *     openArchive   the zip file or the folder                      ../sources/archive.ts
 *     postFrom      a page → the fields of a post                   post.ts
 *     bodyOf        its text, without Medium's own elements         body.ts
 *
 * @throws ExportMissing, PathUnreadable, ArchiveInvalid, NotAnExport
 */
export async function* readMediumExport(
  path: string,
  { now }: { readonly now: Date },
): AsyncGenerator<ImportedItem> {
  const archive = await openArchive(path);
  try {
    const stories = archive.files.filter((file) => STORY.test(file.path));
    if (stories.length === 0) throw new NotAnExport(path, 'Medium', 'it has no pages in a folder posts', HOW);
    yield await blogOf(archive, path);
    for (const { path: name, reason } of archive.unread) yield unreadPart(name, reason);
    for (const file of stories) yield* itemsOf(file, now);
    yield {
      kind: 'note',
      text: 'Medium does not say which stories are unlisted, or for members alone: they come in as published.',
    };
  } finally {
    archive.close();
  }
}

/** The author and the publication; an archive without the profile is identified by its path. */
async function blogOf({ files }: Archive, path: string): Promise<ImportedItem> {
  const page = files.find((file) => PROFILE.test(file.path));
  const nodes =
    page === undefined
      ? []
      : await pageText(page)
          .then(parseHtml)
          .catch(() => []);
  const name = plainText(firstOfClass(nodes, 'p-name'));
  const url = attributeOf(firstOfClass(nodes, 'u-url'), 'href');
  return {
    kind: 'blog',
    blog: {
      ...{ format: 'medium', key: url || resolve(path), name: name || 'Medium', isWhole: true },
      site: { name, url: url || null },
    },
  };
}

async function* itemsOf(file: ArchivedFile, now: Date): AsyncGenerator<ImportedItem> {
  const source = sourceOf(file.path);
  try {
    const { post, losses } = postFrom(await pageText(file), file.path, source, now);
    yield { kind: 'post', post };
    for (const loss of losses) yield { kind: 'loss', loss };
  } catch (error) {
    yield unreadPost(error, source, file.path);
  }
}
