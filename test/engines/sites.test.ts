import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { tmpdir } from 'node:os';
import { shownText } from './shown-text.ts';
import { decodePercent } from '../../import/slug.ts';
import { readFolder } from '../import/folder.ts';
import { isTested } from './installed.ts';
import { lacks } from '../lacks.ts';

/** Real sites next to the checkout. Without them, or without their engine, these tests are skipped. */
const SITES = fileURLToPath(new URL('../../../shared/sites/', import.meta.url));

/** A post from its engine. */
interface Shown {
  readonly path: string;
  readonly url: string;
  readonly date: string;
  readonly html: string;
}

interface Expected {
  readonly site: string;
  readonly engine: 'jekyll' | 'hugo';
  readonly render: (folder: string, work: string) => Shown[];
  readonly posts: number;
  /** Number of posts that only the engine has. */
  readonly missing: readonly string[];
}

const EXPECTED: readonly Expected[] = [
  {
    site: 'jekyll-site/site',
    engine: 'jekyll',
    render: byJekyll,
    posts: 101,
    missing: [],
  },
  { site: 'abulimov-site', engine: 'hugo', render: byHugo, posts: 94, missing: [] },
];

describe.each(EXPECTED)('the site $site', ({ site, engine, render, posts: count, missing }) => {
  describe.skipIf(lacks('real blogs', existsSync(SITES)) || !isTested(engine))(
    `rendered by ${engine}`,
    () => {
      const work = mkdtempSync(join(tmpdir(), 'offprint-sites-'));
      afterAll(() => rmSync(work, { recursive: true }));
      let shown: readonly Shown[] = [];
      let read: Awaited<ReturnType<typeof readFolder>>;

      beforeAll(async () => {
        shown = render(join(SITES, site), work);
        read = await readFolder(join(SITES, site));
      });

      it('has the same posts', () => {
        expect(shown).toHaveLength(count);
        expect([...read.posts.keys(), ...missing].sort()).toEqual(shown.map(({ path }) => path).sort());
      });

      it('has the same addresses, dates and texts, without losses', () => {
        for (const { path, url, date, html } of shown) {
          const post = read.posts.get(path);
          if (post === undefined) continue;
          expect(decodePercent(post.url ?? ''), path).toBe(decodePercent(new URL(url, 'https://x').pathname));
          expect(Date.parse(post.publishedAt ?? ''), path).toBe(Date.parse(date));
          expect(shownText(post.body), path).toBe(shownText(html));
        }
        expect(read.items.filter(({ kind }) => kind === 'loss')).toEqual([]);
      });
    },
  );
});

const JEKYLL_PLUGIN = `
require 'json'
%w(jekyll-avatar jekyll-redirect-from jekyll-seo-tag jekyll-sitemap jekyll-feed).each { |name| begin; require name; rescue LoadError; end }
Jekyll::Hooks.register :site, :post_render do |site|
  File.write(ENV['SHOWN'], JSON.dump(site.posts.docs.map { |post|
    { path: post.relative_path, url: post.url, date: post.date.iso8601, html: post.content }
  }))
end
`;

function byJekyll(folder: string, work: string): Shown[] {
  mkdirSync(join(work, 'plugins'));
  writeFileSync(join(work, 'plugins/shown.rb'), JEKYLL_PLUGIN);
  writeFileSync(join(work, 'over.yml'), `plugins: []\nplugins_dir: ${join(work, 'plugins')}\n`);
  const shown = join(work, 'shown.json');
  execFileSync(
    'jekyll',
    [
      ...['build', '--quiet', '--future', '--disable-disk-cache', '--source', folder],
      ...[
        '--destination',
        join(work, 'out'),
        '--config',
        `${join(folder, '_config.yml')},${join(work, 'over.yml')}`,
      ],
    ],
    { env: { ...process.env, SHOWN: shown }, stdio: 'pipe' },
  );
  return JSON.parse(readFileSync(shown, 'utf8'));
}

const HUGO_LAYOUT = `{{ range site.RegularPages }}{{ if eq .Section "post" }}{{ dict "path" (print "content/" .File.Path) "url" .RelPermalink "date" (.PublishDate.Format "2006-01-02T15:04:05Z07:00") "html" .Content | jsonify }}
{{ end }}{{ end }}`;

function byHugo(folder: string, work: string): Shown[] {
  const layouts = join(work, 'layouts');
  cpSync(join(folder, 'layouts'), layouts, { recursive: true });
  mkdirSync(join(layouts, '_default'), { recursive: true });
  writeFileSync(join(layouts, '_default/single.html'), '');
  writeFileSync(join(layouts, 'index.html'), HUGO_LAYOUT);
  execFileSync(
    'hugo',
    [
      ...[
        '--quiet',
        '--noBuildLock',
        '--source',
        folder,
        '--layoutDir',
        layouts,
        '--destination',
        join(work, 'out'),
      ],
      '--disableKinds=RSS,sitemap,taxonomy,term,404',
    ],
    { env: { ...process.env, HUGO_RESOURCEDIR: join(work, 'resources') }, stdio: 'pipe' },
  );
  const lines = readFileSync(join(work, 'out/index.html'), 'utf8').trim().split('\n');
  return lines.map((line): Shown => JSON.parse(line));
}
