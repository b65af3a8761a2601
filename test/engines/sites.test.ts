/**
 * Real sites, and real blogs under a minimal layout. What their own engine builds is compared with what an import writes
 * to the database.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { shownText } from './shown-text.ts';
import { decodePercent } from '../../common/content/slug.ts';
import { parseJson, isText, recordOf } from '../../contract/json.ts';
import { postPath } from '../../common/site-paths.ts';
import { openForWriting } from '../../data/database.ts';
import { importBlog } from '../../data/imported/import.ts';
import { readBlog } from '../../import/formats.ts';
import { addFiles } from '../import/folder.ts';
import { isTested } from './installed.ts';
import { lacks } from '../lacks.ts';
import { textCases } from '../text-cases.ts';

/** Next to the checkout. Without them, or without their engine, these tests are skipped. */
const SHARED = fileURLToPath(new URL('../../../shared/', import.meta.url));

const shape = { path: isText, url: isText, date: isText, html: isText };
const isPost = recordOf<Post>(shape);
const isHugoPage = recordOf<Post & { section: string }>({ ...shape, section: isText });

/** A post: its file, its address without the host, its date, its visible text. */
interface Post {
  readonly path: string;
  readonly url: string;
  readonly date: string;
  readonly html: string;
}

interface Blog {
  readonly engine: 'jekyll' | 'hugo';
  /** Below SHARED: a whole site, or the folder of a blog's posts. */
  readonly from: string;
  /** For posts alone: the folder that gets them, and the configuration of the site around them. */
  readonly to: string;
  readonly config: string | undefined;
  /** Hugo's section of the posts. */
  readonly section: string;
  /** Number of posts that the engine builds. */
  readonly posts: number;
}

/** Files with which an engine cannot build a site: they use a shortcode, a file and a tag that are not there. */
const UNREADABLE: Readonly<Record<Blog['engine'], readonly string[]>> = {
  hugo: ['2024-07-17-working-with-oracle-databases-in-open-source-projects.md'],
  jekyll: ['2014-09-02-relative-includes.markdown', '2018-11-15-excerpt-liquid-block.md'],
};

/** A shortcode of a theme that encloses text, and one that does not. */
const ENCLOSING = '<div class="{{ .Name }}">{{ .Inner | markdownify }}</div>';
const SINGLE = '<i>{{ .Name }}</i>';
const shortcodes = (names: string, layout: string) =>
  Object.fromEntries(names.split(' ').map((name) => [`layouts/shortcodes/${name}.html`, layout]));

/** Those that the theme of loveit-hugo-zh-en has. */
const SHORTCODES = {
  ...shortcodes('admonition echarts mermaid raw script style typeit', ENCLOSING),
  ...shortcodes('bilibili image instagram link mapbox music person version x', SINGLE),
};

const CASES = textCases(new URL('./sites.txt', import.meta.url));
const BLOGS = (['hugo', 'jekyll'] as const).flatMap((engine) =>
  (CASES.get(engine) ?? []).map(([from = '', to = '', section = '', posts = '', config]): Blog => ({
    engine,
    from,
    to,
    section,
    posts: Number(posts),
    config,
  })),
);

describe.each(BLOGS)('$from, built by $engine', (blog) => {
  const { engine, posts: count } = blog;

  it.skipIf(lacks('real blogs', existsSync(SHARED)) || !isTested(engine))(
    'is imported with the texts, addresses and dates of its engine',
    async () => {
      const work = mkdtempSync(join(tmpdir(), 'offprint-sites-'));
      afterAll(() => rmSync(work, { recursive: true }));
      const folder = siteOf(blog, work);
      const built = engine === 'hugo' ? builtByHugo(folder, work, blog.section) : builtByJekyll(folder, work);
      expect(built).toHaveLength(count);
      expect(comparable(await imported(blog, folder))).toEqual(comparable(built));
    },
  );
});

/** A copy of the whole site, or the site around its posts. */
function siteOf({ engine, from, to, config }: Blog, work: string): string {
  const folder = join(work, 'site');
  cpSync(join(SHARED, from), join(folder, to), {
    recursive: true,
    filter: (path) => !UNREADABLE[engine].includes(basename(path)),
  });
  if (config !== undefined)
    addFiles(
      folder,
      engine === 'hugo' ? { 'config.toml': config, ...SHORTCODES } : { '_config.yml': config },
    );
  else if (engine === 'jekyll') {
    // The plug-in is not in all distributions.
    const own = readFileSync(join(folder, '_config.yml'), 'utf8');
    addFiles(folder, { '_config.yml': own.replace('- jekyll-mentions\n', '') });
  }
  return folder;
}

/** By file; the addresses without the host, decoded; moments; the visible texts. */
function comparable(posts: readonly Post[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    posts
      .map(({ path, url, date, html }) => {
        const address = decodePercent(new URL(url, 'https://example.com').pathname);
        return [`${path} ${address}`, [new Date(date).toISOString(), shownText(html)]] as const;
      })
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

async function imported({ engine, section }: Blog, folder: string): Promise<readonly Post[]> {
  const db = openForWriting(':memory:');
  try {
    const options = { now: new Date(), ...(section === '' ? {} : { section: [section] }) };
    await importBlog({ db, items: readBlog(engine, [folder], options) });
    const pattern = db.prepare<[], string>('SELECT post_path FROM site').pluck().get() ?? '';
    return db
      .prepare<[], Post & { slug: string; url: string | null; category: string | null }>(
        `SELECT replace(source, 'markdown:', '') AS path, posts.slug, url, published_at AS date, body AS html,
           categories.slug AS category
         FROM posts LEFT JOIN categories ON categories.id = category_id WHERE status = 'published'`,
      )
      .all()
      .map((post) => ({
        ...post,
        path: post.path.replace(/#[\w-]+$/, ''),
        url: post.url ?? postPath(pattern, { ...post, publishedAt: post.date }),
      }));
  } finally {
    db.close();
  }
}

const JEKYLL_PLUGIN = `
require 'json'
Jekyll::Hooks.register :site, :post_write do |site|
  File.write(ENV['SHOWN'], site.posts.docs.map { |post|
    raise "no page of #{post.path}" unless File.file?(post.destination(site.dest))
    JSON.dump({ path: post.relative_path, url: site.config['baseurl'].to_s + post.url, date: post.date.iso8601, html: post.content })
  }.join("\\n"))
end
`;

function builtByJekyll(folder: string, work: string): Post[] {
  const plugins = join(work, 'plugins');
  const over = join(work, 'over.yml');
  const shown = join(work, 'shown.json');
  addFiles(work, {
    'plugins/shown.rb': JEKYLL_PLUGIN,
    'over.yml': `plugins_dir: [_plugins, ${plugins}]\n`,
  });
  const folders = ['--source', folder, '--destination', join(work, 'out')];
  execFileSync(
    'jekyll',
    [
      ...['build', '--quiet', '--future', '--disable-disk-cache', ...folders],
      ...['--config', `${join(folder, '_config.yml')},${over}`],
    ],
    { env: { ...process.env, SHOWN: shown }, stdio: 'pipe' },
  );
  const lines = readFileSync(shown, 'utf8').split('\n');
  return lines.map((line) => parseJson(line, isPost, 'a post'));
}

/** Writes each page as JSON at its own address. */
const HUGO_PAGE = `{{ $date := cond .PublishDate.IsZero .Date .PublishDate -}}
{{ $path := "" }}{{ with .File }}{{ $path = print "content/" .Path }}{{ end -}}
{{ dict "section" .Section "path" $path "url" .RelPermalink "date" ($date.Format "2006-01-02T15:04:05Z07:00") "html" .Content | jsonify }}`;

function builtByHugo(folder: string, work: string, section: string): Post[] {
  const layouts = join(work, 'layouts');
  const out = join(work, 'out');
  if (existsSync(join(folder, 'layouts'))) cpSync(join(folder, 'layouts'), layouts, { recursive: true });
  else mkdirSync(layouts);
  addFiles(layouts, { '_default/single.html': HUGO_PAGE, '_default/list.html': '', 'index.html': '' });
  const folders = ['--source', folder, '--layoutDir', layouts, '--destination', out];
  execFileSync(
    'hugo',
    ['--quiet', '--noBuildLock', ...folders, '--disableKinds=RSS,sitemap,taxonomy,term,404'],
    {
      env: { ...process.env, HUGO_RESOURCEDIR: join(work, 'resources') },
      stdio: 'pipe',
    },
  );
  return readdirSync(out, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('index.html'))
    .flatMap((path) => {
      const text = readFileSync(join(out, path), 'utf8');
      if (!text.startsWith('{')) return [];
      const page = parseJson(text, isHugoPage, path);
      expect(`${decodePercent(page.url)}index.html`.endsWith(`/${path}`), page.url).toBe(true);
      return page.section === section ? [page] : [];
    });
}
