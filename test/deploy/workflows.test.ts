/** The shell steps of the workflows that owners copy, one after the other, with the packed package. */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { folderUntil, temporaryFolder } from '../build/temporary-folder.ts';
import { read } from '../docs/documents.ts';
import { isTested } from '../engines/installed.ts';
import { addFiles } from '../import/folder.ts';
import { installedPackage } from '../package/installed.ts';
import { BUCKET_ENVIRONMENT } from '../service/bucket-credentials.ts';
import { startLocalBucket } from '../service/local-bucket.ts';

interface Step {
  readonly name?: string;
  readonly if?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly 'working-directory'?: string;
}
interface Workflow {
  readonly env: Readonly<Record<string, string>>;
  readonly jobs: { readonly publish: { readonly steps: readonly Step[] } };
}
type Files = Readonly<Record<string, string>>;

const PAGES = 'deploy/github/pages.yml';
const BUCKET = 'deploy/github/bucket.yml';
const OFFPRINT = '.github/offprint.tgz';

const post = (title: string, text: string, date = '2024-05-01') =>
  `---\ntitle: ${title}\ndate: ${date}\nlayout: default\n---\n${text}\n`;

const JEKYLL: Files = {
  '_config.yml': 'title: A Blog\npermalink: /posts/:title/\n',
  Gemfile: "source 'https://rubygems.org'\ngem 'jekyll'\n",
  '_layouts/default.html': '<html><p>{{ page.title }} {{ jekyll.environment }}</p>{{ content }}</html>',
  'index.html': '---\n---\n<h1>Home</h1>\n',
  '_posts/2024-05-01-first.md': post('First', 'One.'),
  '_posts/2024-06-01-second.md': post('Second', 'Two.', '2024-06-01'),
};
const HUGO: Files = {
  'hugo.toml': "baseURL = 'https://blog.example/'\ntitle = 'A Blog'\n",
  'layouts/_default/single.html': '<html><p>{{ .Title }}</p>{{ .Content }}</html>',
  'layouts/_default/list.html': '<h1>Home</h1>',
  'content/posts/first.md': post('First', 'One.'),
};

let tarball = '';
const programs = folderUntil(afterAll);
beforeAll(async () => {
  const packed = join(await installedPackage(), 'packed');
  tarball = join(packed, readdirSync(packed)[0] ?? '');
});

/**
 * Runs the steps in a workspace that may have the state of an earlier run, with the site checked out again.
 *
 * @param env replaces variables at the top of the workflow
 */
function run(file: string, workspace: string, site: Files, env: Files, force = false) {
  const workflow: Workflow = parse(read(file));
  for (const name of ['site', 'public', 'export'])
    rmSync(join(workspace, name), { recursive: true, force: true });
  addFiles(join(workspace, 'site'), site);
  mkdirSync(join(workspace, 'site/.github'), { recursive: true });
  copyFileSync(tarball, join(workspace, 'site', OFFPRINT));
  const added = join(workspace, 'added-variables');
  writeFileSync(added, '');
  const variables: Files = { ...workflow.env, FORCE: force ? '--force' : '', OFFPRINT, ...env };
  /** Expressions of GitHub: an address on Pages, or the value of a variable or secret. */
  const filled = (text: string) =>
    text.replace(/\$\{\{ (?:\w+\.)*(\w+) \}\}/g, (_, name: string) =>
      name === 'base_url' ? 'https://ada.github.io/blog' : (variables[name] ?? ''),
    );
  const steps = workflow.jobs.publish.steps.filter(
    // This machine has Hugo. A folder of Markdown skips the steps with a condition.
    (step) => step.name !== 'Install Hugo' && (step.if === undefined || env['ENGINE'] !== 'markdown'),
  );
  let log = '';
  for (const step of steps) {
    if (step.run === undefined) continue;
    const own = Object.entries(step.env ?? {}).map(([name, value]) => [name, filled(value)]);
    const result = spawnSync(
      'bash',
      ['-eo', 'pipefail', '-c', `set -a; . '${added}'; set +a\n${filled(step.run)}`],
      {
        cwd: join(workspace, filled(step['working-directory'] ?? '.')),
        env: {
          ...{ ...process.env, ...variables, ...Object.fromEntries(own) },
          ...{ GITHUB_ACTIONS: 'true', CI: 'true', GITHUB_ENV: added, GITHUB_WORKSPACE: workspace },
          ...{ npm_config_prefix: programs, npm_config_prefer_offline: 'true' },
          PATH: [join(programs, 'bin'), dirname(process.execPath), process.env['PATH']].join(delimiter),
        },
        encoding: 'utf8',
      },
    );
    log += result.stdout + result.stderr;
    if (result.status !== 0) return { isGreen: false, log };
  }
  return { isGreen: true, log };
}

/** A file of the site as it would be deployed; null: there is none. */
function deployed(workspace: string, path: string): string | null {
  const file = join(workspace, 'public', path);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

/** Slugs and addresses of the newest posts, which the site has as pages too. */
function newest(workspace: string, api = 'api'): string[] {
  const text = deployed(workspace, `${api}/v1/posts/newest.json`) ?? '{"data":{"items":[]}}';
  const items: { slug: string; url: string }[] = JSON.parse(text).data.items;
  return items.map(({ slug, url }) => `${slug} ${url}`);
}
const listed = (...slugs: readonly string[]) =>
  slugs.map((slug) => `${slug} https://ada.github.io/blog/posts/${slug}/`);

describe.skipIf(!isTested('jekyll'))('a site of Jekyll on Pages', () => {
  test('has its pages and its API, goes on from the run before, and stops if most posts are gone', () => {
    const workspace = temporaryFolder();
    const env = { ENGINE: 'jekyll' };
    const first = run(PAGES, workspace, JEKYLL, env);
    expect(first.isGreen, first.log).toBe(true);
    expect(newest(workspace)).toEqual(listed('second', 'first'));
    expect(deployed(workspace, 'index.html')).toContain('Home');
    expect(deployed(workspace, 'posts/first/index.html')).toContain('First production');
    expect(deployed(workspace, 'api/v1/post/first.json')).toContain('One.');
    expect(deployed(workspace, 'api/.offprint')).toBeNull();

    const { '_posts/2024-06-01-second.md': _, ...others } = JEKYLL;
    const added = { '_posts/2024-07-01-third.md': post('Third', 'Three.', '2024-07-01') };
    const second = run(PAGES, workspace, { ...others, ...added }, env);
    expect(second.isGreen, second.log).toBe(true);
    expect(second.log).toContain('1 post gone');
    expect(newest(workspace)).toEqual(listed('third', 'first'));

    const { '_posts/2024-05-01-first.md': __, ...empty } = others;
    const fourth = { '_posts/2024-08-01-fourth.md': post('Fourth', 'Four.', '2024-08-01') };
    const stopped = run(PAGES, workspace, { ...empty, ...fourth }, env);
    expect(stopped).toMatchObject({ isGreen: false, log: expect.stringMatching(/^::error.*--force/m) });
    const forced = run(PAGES, workspace, { ...empty, ...fourth }, env, true);
    expect(forced.isGreen, forced.log).toBe(true);
    expect(newest(workspace)).toEqual(listed('fourth'));
  });

  test('may be in a folder of the repository, with settings of its own', () => {
    const workspace = temporaryFolder();
    const site = Object.entries(JEKYLL).map(([path, text]) => [
      `docs/${path.replace('_config.yml', '_config.yaml')}`,
      text,
    ]);
    const more = {
      '.github/offprint.json': '{"site":{"paths":{"tag":"/tags/{slug}/"}}}',
      'docs/_posts/2024-05-02-tagged.md': '---\ntitle: Tagged\ntags: [Cats]\n---\nMeow.\n',
    };
    const env = { ENGINE: 'jekyll', FOLDER: 'docs', API: 'data/api' };
    const { isGreen, log } = run(PAGES, workspace, { ...Object.fromEntries(site), ...more }, env);
    expect(isGreen, log).toBe(true);
    expect(deployed(workspace, 'posts/first/index.html')).toContain('One.');
    expect(deployed(workspace, 'data/api/v1/tags.json')).toContain('https://ada.github.io/blog/tags/cats/');
  });

  test.each<[string, Files, Files, string]>([
    ['a package that is not there', { OFFPRINT: 'none.tgz' }, {}, 'There is no none.tgz'],
    ['a folder that is not there', { FOLDER: 'blog' }, {}, 'There is no folder blog'],
    [
      'a folder without a site',
      { FOLDER: 'docs' },
      { 'docs/a.md': 'A.' },
      'There is no site of Jekyll in the folder',
    ],
    [
      'a page in place of the API',
      {},
      { 'api/index.html': '---\n---\nHere.' },
      'The site has a folder "api"',
    ],
    ['the root as the folder of the API', { API: '.' }, {}, 'The site has a folder "."'],
    [
      'a post of another Liquid',
      {},
      { '_posts/2024-05-01-a.md': post('A', '{% no %}') },
      'jekyll does not build',
    ],
  ])('%s is one line that says so', (_, env, files, says) => {
    const site = { ...JEKYLL, ...files };
    const { isGreen, log } = run(PAGES, temporaryFolder(), site, { ENGINE: 'jekyll', ...env });
    const errors = log.split('\n').filter((line) => line.startsWith('::error'));
    expect({ isGreen, errors }, log).toEqual({ isGreen: false, errors: [expect.stringContaining(says)] });
  });
});

test('a folder of Markdown has its API alone', () => {
  const workspace = temporaryFolder();
  const { isGreen, log } = run(
    PAGES,
    workspace,
    { 'first.md': post('First', 'One.') },
    { ENGINE: 'markdown' },
  );
  expect(isGreen, log).toBe(true);
  expect(newest(workspace)).toEqual(['first https://ada.github.io/blog/posts/first']);
});

describe.skipIf(!isTested('hugo'))('a site of Hugo', () => {
  test('on Pages has its pages, and its API in a folder', () => {
    const workspace = temporaryFolder();
    const { isGreen, log } = run(PAGES, workspace, HUGO, { ENGINE: 'hugo', API: 'data/blog' });
    expect(isGreen, log).toBe(true);
    expect(newest(workspace, 'data/blog')).toEqual(listed('first'));
    expect(deployed(workspace, 'posts/first/index.html')).toContain('One.');
  });

  test('is published to a bucket, or one line says what is missing', async () => {
    const bucket = await startLocalBucket();
    try {
      const workspace = temporaryFolder();
      const to = { BUCKET: `s3://${bucket.bucket}`, AWS_ENDPOINT_URL: bucket.endpoint };
      const env = { ENGINE: 'hugo', SITE: 'https://blog.example/', ...to };
      const first = run(BUCKET, workspace, HUGO, { ...env, ...BUCKET_ENVIRONMENT });
      expect(first, first.log).toMatchObject({
        ...{ isGreen: true, log: expect.stringMatching(/published snapshot \w{26}/) },
      });
      const withoutSecrets = run(BUCKET, workspace, HUGO, env);
      expect(withoutSecrets).toMatchObject({
        isGreen: false,
        log: expect.stringContaining('AWS_ACCESS_KEY_ID'),
      });
      const withoutSite = run(BUCKET, workspace, HUGO, { ...env, SITE: 'https://blog.example' });
      expect(withoutSite).toMatchObject({ isGreen: false, log: expect.stringContaining('Set SITE') });
    } finally {
      await bucket.close();
    }
  });
});
