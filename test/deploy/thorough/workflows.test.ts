/** The shell steps of the workflows that owners copy, as one script, with the packed package. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { folderUntil, temporaryFolder } from '../../build/temporary-folder.ts';
import { read } from '../../docs/documents.ts';
import { isTested } from '../../engines/installed.ts';
import { addFiles } from '../../import/folder.ts';
import { installedPackage } from '../../package/installed.ts';

interface Workflow {
  readonly env: Files;
  readonly jobs: { readonly publish: { readonly steps: readonly Step[] } };
}
interface Step extends Readonly<Partial<Record<'name' | 'if' | 'run' | 'working-directory', string>>> {
  readonly env?: Files;
}
type Files = Readonly<Record<string, string>>;

const post = (title: string, date = '2024-05-01', text = 'Text.') =>
  `---\ntitle: ${title}\ndate: ${date}\nlayout: default\n---\n${text}\n`;

const JEKYLL: Files = {
  '_config.yml': 'title: A Blog\npermalink: /posts/:title/\n',
  Gemfile: "source 'https://rubygems.org'\ngem 'jekyll'\n",
  '_layouts/default.html': '<html><p>{{ page.title }} {{ jekyll.environment }}</p>{{ content }}</html>',
  'index.html': '---\n---\n<h1>Home</h1>\n',
  '_posts/2024-05-01-first.md': post('First'),
  '_posts/2024-06-01-second.md': post('Second', '2024-06-01'),
};
const HUGO: Files = {
  'hugo.toml': "baseURL = 'https://blog.example/'\ntitle = 'A Blog'\n",
  'layouts/_default/single.html': '<html><p>{{ .Title }}</p>{{ .Content }}</html>',
  'layouts/_default/list.html': '<h1>Home</h1>',
  'content/posts/first.md': post('First'),
};

let tarball = '';
const programs = folderUntil(afterAll);
beforeAll(async () => {
  const packed = join(await installedPackage(), 'packed');
  tarball = join(packed, readdirSync(packed)[0] ?? '');
});

/**
 * Runs the steps on a new checkout of the site.
 *
 * @param workspace may have the state of an earlier run
 */
function run(name: 'bucket' | 'pages', site: Files, env: Files, workspace = temporaryFolder()) {
  for (const folder of ['site', 'public', 'export'])
    rmSync(join(workspace, folder), { recursive: true, force: true });
  addFiles(join(workspace, 'site'), { ...site, 'offprint.tgz': readFileSync(tarball) });
  const workflow: Workflow = parse(read(`deploy/github/${name}.yml`));
  const variables: Files = { ...workflow.env, FORCE: '', OFFPRINT: 'offprint.tgz', ...env };
  const steps = workflow.jobs.publish.steps.flatMap((step) => {
    const isSkipped = step.name === 'Install Hugo' || (step.if !== undefined && env['ENGINE'] === 'markdown');
    if (step.run === undefined || isSkipped) return [];
    const own = Object.entries(step.env ?? {}).map(([variable, value]) => `export ${variable}='${value}'\n`);
    return `(cd '${step['working-directory'] ?? '.'}'\n${own.join('')}${step.run})\nset -a; . ./added; set +a`;
  });
  /** Expressions of GitHub: an address on Pages, or the value of a variable or secret. */
  const script = steps.join('\n').replace(/\$\{\{ (?:\w+\.)*(\w+) \}\}/g, (_, word: string) => {
    return word === 'base_url' ? 'https://ada.github.io/blog' : (variables[word] ?? '');
  });
  const { status, stdout } = spawnSync('bash', ['-eo', 'pipefail', '-c', `exec 2>&1; : > added\n${script}`], {
    cwd: workspace,
    env: {
      ...process.env,
      ...variables,
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_ENV: join(workspace, 'added'),
      GITHUB_WORKSPACE: workspace,
      npm_config_prefix: programs,
      npm_config_prefer_offline: 'true',
      PATH: [join(programs, 'bin'), dirname(process.execPath), process.env['PATH']].join(delimiter),
    },
    encoding: 'utf8',
  });
  const deployed = (path: string): string => {
    const file = join(workspace, 'public', path);
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  };
  const newest = deployed(`${env['API'] ?? 'api'}/v1/posts/newest.json`);
  return {
    errors: status === 0 ? [] : (stdout.match(/^::error.*/gm) ?? [stdout]),
    log: stdout,
    deployed,
    /** Of the newest posts, which the site has as pages too. */
    urls: [...newest.matchAll(/"url":"(.*?)"/g)].map(([, url]) => url),
  };
}
const onPages = (...slugs: readonly string[]) =>
  slugs.map((slug) => `https://ada.github.io/blog/posts/${slug}/`);
const jekyll = { ENGINE: 'jekyll' };
const hugo = { ENGINE: 'hugo' };

test.skipIf(!isTested('jekyll'))(
  'a site of Jekyll: each run goes on from the one before, and stops if most posts are gone',
  () => {
    const workspace = temporaryFolder();
    const first = run('pages', JEKYLL, jekyll, workspace);
    expect(first.errors, first.log).toEqual([]);
    expect(first.urls).toEqual(onPages('second', 'first'));
    expect(first.deployed('index.html')).toContain('Home');
    expect(first.deployed('posts/first/index.html')).toContain('First production');
    expect(first.deployed('api/v1/post/first.json')).toContain('Text.');
    expect(first.deployed('api/.offprint')).toBe('');

    const { '_posts/2024-05-01-first.md': _, '_posts/2024-06-01-second.md': __, ...empty } = JEKYLL;
    const third = { ...empty, '_posts/2024-07-01-third.md': post('Third', '2024-07-01') };
    expect(run('pages', third, jekyll, workspace).errors).toEqual([expect.stringContaining('--force')]);
    expect(run('pages', third, { ...jekyll, FORCE: '--force' }, workspace).urls).toEqual(onPages('third'));
  },
);

test.skipIf(!isTested('jekyll'))('a site in a folder of the repository has settings of its own', () => {
  const site = Object.entries(JEKYLL).map(([path, text]) => [`docs/${path.replace('.yml', '.yaml')}`, text]);
  const more = {
    '.github/offprint.json': '{"site":{"paths":{"tag":"/tags/{slug}/"}}}',
    'docs/_posts/2024-05-02-tagged.md': '---\ntitle: Tagged\ntags: [Cats]\n---\nMeow.\n',
  };
  const env = { ...jekyll, FOLDER: 'docs', API: 'data/api' };
  const { errors, log, deployed } = run('pages', { ...Object.fromEntries(site), ...more }, env);
  expect(errors, log).toEqual([]);
  expect(deployed('posts/first/index.html')).toContain('Text.');
  expect(deployed('data/api/v1/tags.json')).toContain('https://ada.github.io/blog/tags/cats/');
});

test('a folder of Markdown has its API alone', () => {
  const { urls, log } = run('pages', { 'first.md': post('First') }, { ENGINE: 'markdown' });
  expect(urls, log).toEqual(['https://ada.github.io/blog/posts/first']);
});

test.skipIf(!isTested('hugo'))('a site of Hugo', () => {
  const { urls, log, deployed } = run('pages', HUGO, { ...hugo, API: 'data/blog' });
  expect(urls, log).toEqual(onPages('first'));
  expect(deployed('posts/first/index.html')).toContain('Text.');
});

test.skipIf(!isTested('jekyll')).each<[string, Files, Files, string]>([
  ['a package that is not there', { OFFPRINT: 'none.tgz' }, {}, 'There is no none.tgz'],
  ['a folder that is not there', { FOLDER: 'blog' }, {}, 'There is no folder blog'],
  ['a folder without a site', { FOLDER: 'docs' }, { 'docs/a.md': 'A.' }, 'There is no Jekyll site'],
  ['a page of the API', {}, { 'api/index.html': '---\n---\nHere.' }, 'The site has a folder "api"'],
  ['the root as the folder of the API', { API: '.' }, {}, 'The site has a folder "."'],
  ['another Liquid', {}, { '_posts/2024-05-01-a.md': post('A', '', '{% no %}') }, 'jekyll failed to build'],
])('%s is one line that says so', (_, env, files, says) => {
  const { errors } = run('pages', { ...JEKYLL, ...files }, { ...jekyll, ...env });
  expect(errors).toEqual([expect.stringContaining(says)]);
});

test.skipIf(!isTested('hugo')).each<[string, Files, string]>([
  ['a site without an address', {}, 'Set SITE'],
  ['a bucket without its secrets', { SITE: 'https://blog.example/' }, 'AWS_ACCESS_KEY_ID'],
])('%s is one line that says so', (_, env, says) => {
  expect(run('bucket', HUGO, { ...hugo, ...env }).errors).toEqual([expect.stringContaining(says)]);
});
