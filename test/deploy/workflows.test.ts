/** The workflows that owners copy: each step as GitHub would run it, with the packed package. */
import { readdirSync, rmSync } from 'node:fs';
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
  '_layouts/default.html': '<html><p>{{ page.title }}</p>{{ content }}</html>',
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

/** A folder with these files. */
function repositoryOf(files: Readonly<Record<string, string>>, folder = temporaryFolder()): string {
  addFiles(folder, files);
  return folder;
}

const records = (text: string | null): readonly { slug: string; url: string; title: string }[] =>
  JSON.parse(text ?? '{"data":{"items":[]}}').data.items;

let tarball = '';
beforeAll(async () => {
  const folder = join(await installedPackage(), 'packed');
  tarball = join(folder, readdirSync(folder)[0] ?? '');
});

describe.skipIf(!isTested('jekyll'))('a site of Jekyll on Pages', () => {
  const repository = repositoryOf(JEKYLL, folderUntil(afterAll));
  const runner = new WorkflowRunner('deploy/github/pages.yml', folderUntil(afterAll));
  const run = () => runner.run(repository, { OFFPRINT: tarball, ENGINE: 'jekyll' });

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
    const { isGreen, log, site } = run();
    expect(isGreen, log).toBe(true);
    expect(records(served(site, 'api/v1/posts/newest.json')).map(({ slug }) => slug)).toEqual([
      'third',
      'first',
    ]);
  });

  test.each([
    ['a package that is not there', { OFFPRINT: 'site/none.tgz' }, {}, 'There is no site/none.tgz'],
    [
      'a post that Jekyll cannot render',
      {},
      { '_posts/2024-05-01-first.md': post('First', '{% no-such-tag %}') },
      'jekyll does not build the site',
    ],
  ])('%s is one line that says so, and nothing is deployed', (_, env, files, says) => {
    const copy = repositoryOf({ ...JEKYLL, ...files });
    const { isGreen, errors, log, site } = runner.run(copy, { OFFPRINT: tarball, ENGINE: 'jekyll', ...env });
    expect(isGreen).toBe(false);
    expect(errors, log).toHaveLength(1);
    expect(errors[0]).toContain(says);
    expect(site).toBeNull();
  });
});

test('a folder of Markdown has its API alone', () => {
  const runner = new WorkflowRunner('deploy/github/pages.yml', temporaryFolder());
  const { isGreen, log, site } = runner.run(repositoryOf({ 'first.md': post('First', 'One.') }), {
    ...{ OFFPRINT: tarball, ENGINE: 'markdown' },
  });
  expect(isGreen, log).toBe(true);
  const [first] = records(served(site, 'api/v1/posts/newest.json'));
  expect(first).toMatchObject({ title: 'First', url: 'https://ada.github.io/blog/posts/first' });
});

test.skipIf(!isTested('hugo'))('a site of Hugo on Pages has its pages, and its API in a folder', () => {
  const runner = new WorkflowRunner('deploy/github/pages.yml', temporaryFolder());
  const { isGreen, log, site } = runner.run(repositoryOf(HUGO), {
    ...{ OFFPRINT: tarball, ENGINE: 'hugo', API: 'data/blog' },
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
        ...{ OFFPRINT: tarball, ENGINE: 'hugo', SITE: 'https://blog.example/' },
        ...{ BUCKET: `s3://${bucket.bucket}`, AWS_ENDPOINT_URL: bucket.endpoint },
        ...env,
      },
      secrets,
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
