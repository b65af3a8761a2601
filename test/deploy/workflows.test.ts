/** The workflows that owners copy: each step as GitHub would run it, with the packed package. */
import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { folderUntil, temporaryFolder } from '../build/temporary-folder.ts';
import { isTested } from '../engines/installed.ts';
import { addFiles } from '../import/folder.ts';
import { installedPackage } from '../package/installed.ts';
import { BUCKET_ENVIRONMENT } from '../service/bucket-credentials.ts';
import { type LocalBucket, startLocalBucket } from '../service/local-bucket.ts';
import { served, WorkflowRunner } from './workflow-runner.ts';

const post = (title: string, text: string, date = '2024-05-01') =>
  `---\ntitle: ${title}\ndate: ${date}\nlayout: default\n---\n${text}\n`;

const JEKYLL = {
  '_config.yml': 'title: A Blog\npermalink: /posts/:title/\n',
  Gemfile: "source 'https://rubygems.org'\ngem 'jekyll'\n",
  '_layouts/default.html': '<html><p>{{ page.title }} {{ jekyll.environment }}</p>{{ content }}</html>',
  'index.html': '---\n---\n<h1>Home</h1>\n',
  '_posts/2024-05-01-first.md': post('First', 'One.'),
  '_posts/2024-06-01-second.md': post('Second', 'Two.', '2024-06-01'),
};

const HUGO = {
  'hugo.toml': "baseURL = 'https://blog.example/'\ntitle = 'A Blog'\n",
  'layouts/_default/single.html': '<html><p>{{ .Title }}</p>{{ .Content }}</html>',
  'layouts/_default/list.html': '<h1>Home</h1>',
  'content/posts/first.md': post('First', 'One.'),
};

/** The package, and where it is in a repository. */
let tarball = '';
const OFFPRINT = '.github/offprint.tgz';

/** A folder with these files, and the package. */
function repositoryOf(files: Readonly<Record<string, string>>, folder = temporaryFolder()): string {
  addFiles(folder, { '.github/offprint.json': '{"site":{"paths":{"tag":"/tags/{slug}/"}}}', ...files });
  copyFileSync(tarball, join(folder, OFFPRINT));
  return folder;
}

const records = (text: string | null): readonly { slug: string; url: string; title: string }[] =>
  JSON.parse(text ?? '{"data":{"items":[]}}').data.items;

beforeAll(async () => {
  const folder = join(await installedPackage(), 'packed');
  tarball = join(folder, readdirSync(folder)[0] ?? '');
});

describe.skipIf(!isTested('jekyll'))('a site of Jekyll on Pages', () => {
  const repository = folderUntil(afterAll);
  beforeAll(() => void repositoryOf(JEKYLL, repository));
  const runner = new WorkflowRunner('deploy/github/pages.yml', folderUntil(afterAll));
  const run = (force = false) => runner.run(repository, { OFFPRINT, ENGINE: 'jekyll' }, { force });

  test('has its pages, and its API in a folder', () => {
    const { isGreen, log, errors, site } = run();
    expect(isGreen, log).toBe(true);
    expect(errors).toEqual([]);
    expect(served(site, 'index.html')).toContain('Home');
    const items = records(served(site, 'api/v1/posts/newest.json'));
    expect(items.map(({ title }) => title)).toEqual(['Second', 'First']);
    for (const { url, slug, title } of items) {
      expect(url).toBe(`https://ada.github.io/blog/posts/${slug}/`);
      expect(served(site, `posts/${slug}/index.html`)).toContain(title);
      expect(served(site, `api/v1/post/${slug}.json`)).toContain(title);
    }
    expect(served(site, 'api/.offprint')).toBeNull();
    expect(served(site, 'posts/first/index.html')).toContain('production');
    expect(site === null ? [] : readdirSync(site, { recursive: true })).not.toContainEqual(
      expect.stringMatching(/offprint\.(?:tgz|json)/),
    );
  });

  test('goes on from the state of the run before', () => {
    addFiles(repository, {
      '_posts/2024-05-01-first.md': post('First', 'One, changed.'),
      '_posts/2024-07-01-third.md': post('Third', 'Three.', '2024-07-01'),
    });
    rmSync(join(repository, '_posts/2024-06-01-second.md'));
    const { isGreen, log, site } = run();
    expect(isGreen, log).toBe(true);
    expect(log).toContain('1 post gone');
    expect(served(site, 'api/v1/post/first.json')).toContain('One, changed.');
    expect(records(served(site, 'api/v1/posts/newest.json')).map(({ slug }) => slug)).toEqual([
      'third',
      'first',
    ]);
    expect(served(site, 'api/v1/post/second.json')).toBeNull();
  });

  test('starts again without a cache', () => {
    runner.evict();
    addFiles(repository, { '_posts/2024-08-01-fourth.md': post('Fourth', 'Four.', '2024-08-01') });
    const { isGreen, log, site } = run();
    expect(isGreen, log).toBe(true);
    expect(records(served(site, 'api/v1/posts/newest.json')).map(({ slug }) => slug)).toEqual([
      'fourth',
      'third',
      'first',
    ]);
  });

  test('stops if most posts are gone, until it is forced', () => {
    for (const name of ['2024-05-01-first', '2024-07-01-third'])
      rmSync(join(repository, `_posts/${name}.md`));
    const { isGreen, errors, site } = run();
    expect(isGreen).toBe(false);
    expect(errors).toEqual([expect.stringContaining('--force')]);
    expect(site).toBeNull();
    const forced = run(true);
    expect(forced.isGreen, forced.log).toBe(true);
    expect(records(served(forced.site, 'api/v1/posts/newest.json')).map(({ slug }) => slug)).toEqual([
      'fourth',
    ]);
  });

  test('may be in a folder of the repository, with its own settings, and move', () => {
    const { '_config.yml': config, ...others } = JEKYLL;
    const inFolder = (folder: string) =>
      Object.fromEntries(
        Object.entries({ ...others, '_config.yaml': config }).map(([path, text]) => [
          `${folder}/${path}`,
          text,
        ]),
      );
    const tagged = { 'docs/_posts/2024-05-02-tagged.md': '---\ntitle: Tagged\ntags: [Cats]\n---\nMeow.\n' };
    const env = { OFFPRINT, ENGINE: 'jekyll', FOLDER: 'docs', API: 'data/api' };
    const own = new WorkflowRunner('deploy/github/pages.yml', temporaryFolder());
    const { isGreen, log, site } = own.run(repositoryOf({ ...inFolder('docs'), ...tagged }), env);
    expect(isGreen, log).toBe(true);
    expect(served(site, 'posts/first/index.html')).toContain('One.');
    expect(served(site, 'data/api/v1/post/first.json')).toContain('One.');
    expect(served(site, 'data/api/v1/tags.json')).toContain('https://ada.github.io/blog/tags/cats/');
    const changed = { 'new/_posts/2024-06-01-second.md': post('Second', 'Two, changed.', '2024-06-01') };
    const moved = own.run(repositoryOf({ ...inFolder('new'), ...changed }), { ...env, FOLDER: 'new' });
    expect(moved.isGreen, moved.log).toBe(true);
    expect(records(served(moved.site, 'data/api/v1/posts/newest.json')).map(({ slug }) => slug)).toEqual([
      'second',
      'first',
    ]);
  });

  test.each([
    ['a package that is not there', { OFFPRINT: '.github/none.tgz' }, {}, 'There is no .github/none.tgz'],
    ['a folder that is not there', { FOLDER: 'blog' }, {}, 'There is no folder blog'],
    [
      'a folder without a site',
      { FOLDER: 'docs' },
      { 'docs/a.md': 'A.' },
      'There is no site of Jekyll in the folder docs',
    ],
    [
      'a page where the API should be',
      {},
      { 'api/index.html': '---\n---\nHere.' },
      'The site has a folder "api"',
    ],
    ['the root as the folder of the API', { API: '.' }, {}, 'The site has a folder "."'],
    [
      'a post that Jekyll cannot render',
      {},
      { '_posts/2024-05-01-first.md': post('First', '{% no-such-tag %}') },
      'jekyll does not build the site',
    ],
  ])('%s is one line that says so, and nothing is deployed', (_, env, files, says) => {
    const copy = repositoryOf({ ...JEKYLL, ...files });
    const own = new WorkflowRunner('deploy/github/pages.yml', temporaryFolder());
    const { isGreen, errors, log, site } = own.run(copy, { OFFPRINT, ENGINE: 'jekyll', ...env });
    expect(isGreen).toBe(false);
    expect(errors, log).toHaveLength(1);
    expect(errors[0]).toContain(says);
    expect(site).toBeNull();
  });
});

test('a folder of Markdown has its API alone', () => {
  const runner = new WorkflowRunner('deploy/github/pages.yml', temporaryFolder());
  const { isGreen, log, site } = runner.run(repositoryOf({ 'first.md': post('First', 'One.') }), {
    ...{ OFFPRINT, ENGINE: 'markdown' },
  });
  expect(isGreen, log).toBe(true);
  const [first] = records(served(site, 'api/v1/posts/newest.json'));
  expect(first).toMatchObject({ title: 'First', url: 'https://ada.github.io/blog/posts/first' });
});

test.skipIf(!isTested('hugo'))('a site of Hugo on Pages has its pages, and its API in a folder', () => {
  const runner = new WorkflowRunner('deploy/github/pages.yml', temporaryFolder());
  const { isGreen, log, site } = runner.run(repositoryOf(HUGO), {
    ...{ OFFPRINT, ENGINE: 'hugo', API: 'data/blog' },
  });
  expect(isGreen, log).toBe(true);
  const [first] = records(served(site, 'data/blog/v1/posts/newest.json'));
  expect(first).toMatchObject({ title: 'First', url: 'https://ada.github.io/blog/posts/first/' });
  expect(served(site, 'posts/first/index.html')).toContain('One.');
});

describe.skipIf(!isTested('hugo'))('a bucket', () => {
  let bucket: LocalBucket;
  beforeAll(async () => {
    bucket = await startLocalBucket();
  });
  afterAll(() => bucket.close());
  const runner = new WorkflowRunner('deploy/github/bucket.yml', folderUntil(afterAll));
  const run = (secrets: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}) =>
    runner.run(
      repositoryOf(HUGO),
      {
        ...{ OFFPRINT, ENGINE: 'hugo', SITE: 'https://blog.example/' },
        ...{ BUCKET: `s3://${bucket.bucket}`, AWS_ENDPOINT_URL: bucket.endpoint },
        ...env,
      },
      { secrets },
    );

  test('gets what a gateway serves', () => {
    const first = run(BUCKET_ENVIRONMENT);
    expect(first.isGreen, first.log).toBe(true);
    expect(first.log).toMatch(/published snapshot \w{26}/);
    const again = run(BUCKET_ENVIRONMENT);
    expect(again.isGreen, again.log).toBe(true);
    expect(again.log).toMatch(/already|nothing/i);
  });

  test.each([
    ['without secrets', {}, {}, 'AWS_ACCESS_KEY_ID'],
    ['without the address of the site', BUCKET_ENVIRONMENT, { SITE: 'https://blog.example' }, 'Set SITE'],
  ])('%s says so in one line', (_, secrets, env, says) => {
    const { isGreen, errors, log } = run(secrets, env);
    expect(isGreen).toBe(false);
    expect(errors, log).toHaveLength(1);
    expect(errors[0]).toContain(says);
  });
});
