import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { ImportError } from '../../import/errors.ts';
import { readBlog } from '../../import/formats.ts';
import { importBlog } from '../../data/imported/import.ts';
import { textOfHtml } from '../../common/content/html-text.ts';
import { dump, emptyBlog, NOW } from './folder.ts';
import { readExportFile } from './ghost-export.ts';
import { lacks } from '../lacks.ts';

/** Real exports are next to the checkout; otherwise these tests are skipped. */
const BLOGS = fileURLToPath(new URL('../../../shared/blogs/', import.meta.url));
const CORE = 'ghost-core-fixtures-a/core/test/utils/fixtures';
const LATER = 'ghost-v2-v3-fixtures/test/utils/fixtures/export';

interface Expected {
  readonly file: string;
  /** The number of rows in its table `posts`, and of those that are not imported. */
  readonly rows: number;
  readonly hidden?: number;
  readonly pages?: number;
  readonly nameless?: number;
  readonly withoutHtml?: number;
  /** Links to authors or tags that are missing in the file. */
  readonly links?: number;
}

const EXPECTED: readonly Expected[] = [
  { file: 'agorabinaria-ghost-es/ghost.json', rows: 25, pages: 5 },
  { file: 'ghost-to-md-sample/sample/ghost_exported_file.json', rows: 2, hidden: 1, links: 1 }, // One for members.
  { file: `${LATER}/v2_export.json`, rows: 7 },
  { file: `${LATER}/v3_export.json`, rows: 7 },
  { file: `${CORE}/export/export-basic-test.json`, rows: 2 },
  { file: `${CORE}/export/export-clients-domains.json`, rows: 0 },
  { file: `${CORE}/export/uppercase-tags.json`, rows: 1 },
  { file: `${CORE}/export/lts/export-000.json`, rows: 2, links: 2 },
  { file: `${CORE}/export/lts/export-001.json`, rows: 1 },
  { file: `${CORE}/export/lts/export-003.json`, rows: 1 },
  { file: `${CORE}/export/lts/export-003-api-wrapper.json`, rows: 1, links: 1 },
  { file: `${CORE}/export/lts/export-003-badValidation.json`, rows: 3, hidden: 1 },
  { file: `${CORE}/export/lts/export-003-dbErrors.json`, rows: 2 },
  { file: `${CORE}/export/lts/export-003-duplicate-posts.json`, rows: 2 },
  { file: `${CORE}/export/lts/export-003-minimal.json`, rows: 1, hidden: 1 },
  { file: `${CORE}/export/lts/export-003-missing-allowed-fields.json`, rows: 0 },
  { file: `${CORE}/export/lts/export-003-mu.json`, rows: 4, hidden: 1, withoutHtml: 1 },
  { file: `${CORE}/export/lts/export-003-mu-unknownAuthor.json`, rows: 1, links: 1 },
  { file: `${CORE}/export/lts/export-003-nullPosts.json`, rows: 2, nameless: 1, links: 1 },
  { file: `${CORE}/export/lts/export-003-wrongUUID.json`, rows: 4 },
  { file: `${CORE}/export/lts/export-lts-multiple-roles.json`, rows: 5, hidden: 2, pages: 1 },
  { file: `${CORE}/export/lts/export-lts-style-bad-markdown-html.json`, rows: 5, withoutHtml: 3 },
  { file: `${CORE}/export/lts/export-lts-style-user-long-email.json`, rows: 0 },
  { file: `${CORE}/import/import-data-1.json`, rows: 1, links: 1 },
  { file: `${CORE}/import/import-data-lts.json`, rows: 1, links: 1 },
];

/** Files that are not exports; some look similar. */
const NO_EXPORTS = [`${LATER}/broken.json`, 'migrate-lexical-fixtures/**/*.json'];

type Row = Readonly<Record<string, unknown>>;
const ID = v.union([v.string(), v.number()]);

/** The tables of a file, found without the importer: the innermost object with posts or users. */
function tablesOf(file: string): Readonly<Record<string, readonly Row[] | undefined>> {
  const json = JSON.parse(readFileSync(join(BLOGS, file), 'utf8'));
  const [wrapped = json] = json.db ?? [];
  return wrapped.data.data ?? wrapped.data;
}

describe.skipIf(lacks('real blogs', existsSync(BLOGS))).each(EXPECTED)(
  'the real export $file',
  ({ file, rows, hidden = 0, pages = 0, nameless = 0, withoutHtml = 0, links = 0 }) => {
    const path = join(BLOGS, file);
    const shown = rows - hidden - pages - nameless - withoutHtml;

    it('is imported completely: each row is a post, hidden, or reported as left out', async () => {
      const { items, posts, skipped, lost } = await readExportFile(path);
      expect(tablesOf(file)['posts'] ?? []).toHaveLength(rows);
      expect(posts).toHaveLength(shown);
      expect(items.filter(({ kind }) => kind === 'hidden')).toHaveLength(hidden);
      const reasons = (pattern: RegExp) => skipped.filter((line) => pattern.test(line)).length;
      expect(reasons(/^posts\[\d+\] "[^"]+": is a page$/)).toBe(pages);
      expect(reasons(/^posts\[\d+\]: has neither a title nor a slug$/)).toBe(nameless);
      expect(reasons(/has no HTML in this export$/)).toBe(withoutHtml);
      expect(skipped).toHaveLength(pages + nameless + withoutHtml);
      expect(lost.filter((line) => / is not in the export$/.test(line))).toHaveLength(links);
      expect(lost).toHaveLength(links);
    });

    it('has the titles, dates, texts and tags of the file', async () => {
      const { tags = [], posts_tags: tagLinks = [], posts: written = [] } = tablesOf(file);
      let found = 0;
      for (const post of (await readExportFile(path)).posts) {
        const [row, other] = written.filter(
          (one) =>
            one &&
            (one['title'] || post.title) === post.title &&
            (!one['slug'] || `${v.parse(ID, one['slug'])}`.replace(' ', '-') === post.slug),
        );
        if (row === undefined) continue;
        found += 1;
        const { published_at: date } = row;
        const moment =
          typeof date === 'number' ? date : Date.parse(String(date).replace(/^(\S+) (\S+)$/, '$1T$2Z'));
        expect(Date.parse(String(post.publishedAt))).toBe(Math.floor(moment / 1000) * 1000);
        const names = tagLinks
          .filter(({ post_id: id }) => id === row['id'])
          .sort((a, b) => Number(a['sort_order'] ?? 0) - Number(b['sort_order'] ?? 0))
          .flatMap(({ tag_id: id }) =>
            tags.filter((tag) => tag['id'] === id).map((tag) => tag['name'] || tag['slug']),
          );
        if (other === undefined && written.filter((one) => one?.['id'] === row['id']).length === 1)
          expect(post.tags.map(({ name }) => name)).toEqual(names);
        expect(textOfHtml(post.body)).toContain(textOfHtml(String(row['html'])).slice(0, 200));
      }
      expect(found).toBe(shown);
    });

    it('changes nothing when it is imported again', async () => {
      const db = emptyBlog();
      // Some have no posts.
      const run = () => importBlog({ db, items: readBlog('ghost', [path], { now: NOW }), force: true });
      const first = await run();
      const before = dump(db);
      const second = await run();
      expect(dump(db) === before).toBe(true);
      expect(first.imported.posts).toBe(shown);
      expect(second.unchanged).toBe(first.imported.posts);
      expect(second.renamed).toEqual(first.renamed);
    });
  },
);

describe.skipIf(lacks('real blogs', existsSync(BLOGS)))('the real files', () => {
  it('that are not exports are rejected with one clear error', async () => {
    const files = globSync(NO_EXPORTS, { cwd: BLOGS });
    expect(files).toHaveLength(12);
    for (const file of files) {
      const failure: unknown = await readExportFile(join(BLOGS, file)).catch((error: unknown) => error);
      expect(failure, file).toBeInstanceOf(ImportError);
    }
  });

  it('are all covered here', () => {
    const json = globSync('*ghost*/**/*.json', { cwd: BLOGS }).filter(
      (file) => !file.includes('shape-facts'),
    );
    expect(json.sort()).toEqual([...EXPECTED.map(({ file }) => file), `${LATER}/broken.json`].sort());
  });
});
