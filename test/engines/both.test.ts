/** What holds for each engine that renders a site. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { EngineFailed } from '../../import/errors.ts';
import { addFiles, folderOf } from '../import/folder.ts';
import { offprintInProcess } from '../service/in-process.ts';
import { isTested } from './installed.ts';
import { importer, readSite } from './site.ts';

/** The engines: their configurations, the paths of posts, what they cannot render, and what they say of it. */
const ENGINES = [
  {
    engine: 'hugo' as const,
    name: 'Hugo',
    config: { 'hugo.toml': 'title = "A"' },
    pathOf: (slug: string) => `content/posts/${slug}.md`,
    covers: {
      'hugo.toml': 'baseURL = "https://blog.example/sub/"\n[permalinks]\nposts = "/:slug/"',
      'layouts/_default/single.html': '<html>{{ template "_internal/opengraph.html" . }}</html>',
    },
    byDate: { 'hugo.toml': '[permalinks]\nposts = "/:year/:month/:day/"' },
    front: 'images: [IMAGE]',
    build: [],
    broken: '{{< no-such >}}',
    said: 'template for shortcode "no-such" not found',
  },
  {
    engine: 'jekyll' as const,
    name: 'Jekyll',
    config: { '_config.yml': 'title: A' },
    pathOf: (slug: string) => `_posts/2024-01-01-${slug}.md`,
    covers: {
      '_config.yml':
        'url: https://blog.example\nbaseurl: sub\npermalink: /:title/\nplugins: [jekyll-seo-tag]\n',
      '_layouts/seo.html': '<html><head>{% seo %}</head></html>',
    },
    byDate: { '_config.yml': 'permalink: /:year/:month/:day/' },
    front: 'layout: seo\nimage: IMAGE',
    build: ['build'],
    broken: '{% no_such_tag %}',
    said: "Unknown tag 'no_such_tag'",
  },
];

const post = (title: string, text = 'Text.') =>
  `---\ntitle: ${JSON.stringify(title)}\ndate: 2024-01-01\n---\n${text}\n`;

describe.each(ENGINES)(
  'a site of $name',
  ({ engine, name, config, pathOf, covers, byDate, front, build, broken, said }) => {
    const withEngine = it.skipIf(!isTested(engine));

    withEngine('has titles as they are written, also if they look like Markdown or HTML', async () => {
      const titles = [
        'Using __init__ and __name__ in Python',
        'Yes, ~~no~~ `*.md` and C:\\dir\\*',
        'A [link](x) & <em>Q&amp;A</em>, Vec<T>',
        '1. # not a heading',
        ...(engine === 'jekyll' ? ['Announcement'] : []), // A list; for Hugo, it is no title.
      ];
      const asList = (title: string) => post(title).replace('"Announcement"', '[Announcement]');
      const files = Object.fromEntries(titles.map((title, i) => [pathOf(`t${i}`), asList(title)]));
      const { posts } = await readSite(engine, folderOf({ ...config, ...files }));
      expect([...posts.values()].map(({ title }) => title).sort()).toEqual(titles.toSorted());
    });

    withEngine('calls posts by their own names where addresses end with a day', async () => {
      const { posts } = await readSite(engine, folderOf({ ...byDate, [pathOf('a-walk')]: post('A') }));
      expect([...posts.keys()]).toEqual(['a-walk']);
      expect(posts.get('a-walk')?.url).toMatch(/\/2024\/01\/01\/$/);
    });

    withEngine('has the images that its own pages show to other sites', async () => {
      const images = ['img/b.png', '/c.png', 'https://cdn.example/d.png', 'a.png'];
      const page = (image: string, i: number) =>
        `---\ntitle: A\nslug: t${i}\ndate: 2024-01-01\n${front.replace('IMAGE', image)}\n---\n`;
      const files = images.map((image, i) => [pathOf(`t${i}`), page(image, i)]);
      const atRoot = { [engine === 'hugo' ? 'static/a.png' : 'a.png']: 'png' };
      const [folder, built] = [
        folderOf({ ...covers, ...atRoot, ...Object.fromEntries(files) }),
        folderOf({}),
      ];
      execFileSync(engine, [...build, '--destination', built], { cwd: folder });
      const { posts } = await readSite(engine, folder);
      for (const i of images.keys()) {
        const html = readFileSync(join(built, `t${i}/index.html`), 'utf8');
        const [, shown = 'none'] = /property="og:image" content="([^"]*)"/.exec(html) ?? [];
        expect(posts.get(`t${i}`)?.cover, images[i]).toBe(shown);
      }
    });

    withEngine('keeps posts whose file was emptied or saved in part', async () => {
      const run = importer();
      const names = ['a', 'b', 'c'];
      const files = Object.fromEntries(names.map((slug) => [pathOf(slug), post(slug)]));
      const folder = folderOf({ ...config, ...files });
      expect((await run(engine, folder)).posts.published).toBe(3);
      addFiles(folder, {
        [pathOf('a')]: '',
        ...(engine === 'jekyll' ? { [pathOf('b')]: '---\ntitle: b' } : {}),
      });
      const { skipped, gone, imported } = await run(engine, folder);
      expect(skipped.filter(({ noPost }) => !noPost)).toEqual([
        { source: pathOf('a'), reason: 'is empty' },
        // Hugo refuses the other.
        ...(engine === 'hugo'
          ? []
          : [{ source: pathOf('b'), reason: 'has front matter without an end: a line "---"' }]),
      ]);
      expect({ gone, posts: imported.posts }).toEqual({ gone: [], posts: 0 });
    });

    withEngine(
      'takes over posts that were imported without it, and changes nothing the second time',
      async () => {
        const run = importer();
        const folder = folderOf({ ...config, [pathOf('a')]: post('A'), [pathOf('b')]: post('B') });
        const [posts = ''] = pathOf('a').split('/');
        await run('markdown', join(folder, posts), { plain: true });
        const report = await run(engine, folder);
        expect(report.origins).toEqual([expect.objectContaining({ format: 'markdown', new: false })]);
        expect(report.moved.map(({ from, to }) => [from, to])).toContainEqual([
          `markdown:${pathOf('a').slice(posts.length + 1)}`,
          `markdown:${pathOf('a')}`,
        ]);
        const again = await run(engine, folder);
        expect([again.imported.posts, again.posts]).toEqual([0, report.posts]);
      },
    );

    withEngine('that it rejects has its message, and writes nothing', async () => {
      const folder = folderOf({ ...config, [pathOf('bad')]: post('Bad', broken) });
      await expect(readSite(engine, folder)).rejects.toThrow(EngineFailed);
      const db = join(folderOf({}), 'blog.db');
      const { code, stderr } = await offprintInProcess(['import', engine, folder, '--db', db]);
      expect(code).toBe(1);
      expect(stderr).toMatch(
        new RegExp(`${engine} could not render the site \\(exit code \\d+\\), so nothing was written`),
      );
      expect(stderr).toContain(said);
      expect(existsSync(db)).toBe(false);
    });

    it('without its engine, or without a site, is not read, and the message says what to do', async () => {
      vi.stubEnv('PATH', folderOf({}));
      onTestFinished(() => void vi.unstubAllEnvs());
      const folder = folderOf({ ...config, [pathOf('a')]: post('A') });
      await expect(readSite(engine, folder)).rejects.toThrow(
        new RegExp(`program ${engine} was not found.*Install ${name} \\(https:.*--engine PATH.*CI job`),
      );
      await expect(readSite(engine, folder, { engine: './no/such' })).rejects.toMatchObject({
        message: expect.stringMatching(
          `program ./no/such was not found.*: "import ${engine} ${folder} --plain"`,
        ),
        inEntry: expect.stringContaining(`{ "format": "${engine}", "path": "${folder}", "plain": true }`),
      });
      const { posts } = await readSite(engine, folder, { plain: true });
      expect([...posts.values()].map(({ title }) => title)).toEqual(['A']);
      await expect(readSite(engine, folderOf({ 'posts/a.md': post('A') }))).rejects.toThrow(
        `is not a ${name} site: it has no`,
      );
    });
  },
);
