/**
 * The npm package as users get it: packed, installed into an empty folder, and run with the commands of the README.
 */
import { execFile } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readLastBuild } from '../../../build/output/last-build.ts';
import { requirePointer } from '../../../build/output/pointer-file.ts';
import { PREFIX } from '../../../contract/api.ts';
import { temporaryFolder } from '../../build/temporary-folder.ts';
import { read, ROOT } from '../../docs/documents.ts';
import { send } from '../../service/client.ts';
import { type CommandResult, type Environment, resultOf, spawnOffprint } from '../../service/command.ts';
import { CHECKOUT } from '../../service/program.ts';
import { freePort } from '../../service/free-port.ts';
import { type Server, startServer } from '../../service/server-process.ts';
import { installedPackage, programIn } from '../installed.ts';

const MAX_BYTES = 60e6;

let folder: string;
let program: string;
/** The package in it. */
let root: string;
beforeAll(async () => {
  folder = await installedPackage();
  program = programIn(folder);
  root = join(folder, 'node_modules/offprint');
});

const filesOf = (path: string) =>
  readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((file) =>
    lstatSync(join(path, file)).isFile(),
  );

const runIn = (cwd: string, args: readonly string[], environment?: Environment): Promise<CommandResult> =>
  resultOf(spawnOffprint(args, cwd, environment, program));

/** The output of a command, which must succeed. */
async function printedIn(cwd: string, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runIn(cwd, args);
  expect(code, stderr).toBe(0);
  return stdout;
}

async function startIn(cwd: string, ...args: readonly string[]): Promise<Server> {
  const server = await startServer(['start', '--port', '0', ...args], cwd, {}, program);
  onTestFinished(async () => void (await server.end('SIGTERM')));
  return server;
}

/** A folder with only Markdown posts. */
function writtenBlog(posts: number): string {
  const blog = join(temporaryFolder(), 'blog');
  mkdirSync(blog);
  for (let i = 1; i <= posts; i++) {
    const front = `---\ntitle: Post ${i}\ndate: 2026-01-01T00:00:${String(i % 60).padStart(2, '0')}Z\n---\n`;
    writeFileSync(join(blog, `post-${i}.md`), `${front}\nText *${i}*.\n`);
  }
  return blog;
}

describe('the installed package', () => {
  test('is under 60 MB, with one package besides Offprint, including its dependencies', () => {
    const modules = join(folder, 'node_modules');
    const bytes = filesOf(modules).reduce((sum, file) => sum + lstatSync(join(modules, file)).size, 0);
    expect(bytes).toBeLessThan(MAX_BYTES);
    const names = readdirSync(modules).filter((name) => !name.startsWith('.'));
    expect(names.sort()).toEqual(['better-sqlite3', 'node-addon-api', 'offprint']);
  });

  test('describes itself, and has nothing of the development setup', () => {
    const own = JSON.parse(read('package.json'));
    const { name, version, description, license, type, bin, engines, dependencies } = own;
    expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).toEqual({
      name,
      version,
      description,
      license,
      type,
      bin,
      engines,
      dependencies: { 'better-sqlite3': dependencies['better-sqlite3'] },
    });
  });

  test('has compiled modules, the files that they read, and documents', () => {
    const files = filesOf(root).filter((file) => !file.startsWith('node_modules/'));
    const folders = files.filter((file) => file.includes('/')).map((file) => file.replace(/\/.*/, ''));
    expect([...new Set(folders)].sort()).toEqual([
      ...['build', 'chunks', 'cli', 'data', 'deploy', 'docs', 'import', 'worker'],
    ]);
    const top = files.filter((file) => !file.includes('/')).sort();
    const documents = ['CHANGELOG.md', 'LICENSE', 'NOTICES.md', 'README.md', 'SECURITY.md'];
    expect(top).toEqual([...documents, 'package.json']);
    expect(files.filter((file) => /\.ts$|test|\.db-/.test(file))).toEqual([]);
  });

  test('has documents whose links lead to its own files', () => {
    const documents = filesOf(root).filter((file) => /^(?:[A-Z]+|docs\/.*)\.md$/.test(file));
    expect(documents.length).toBeGreaterThan(30);
    for (const file of documents) {
      const links = readFileSync(join(root, file), 'utf8').match(/(?<=\]\(|src(?:set)?=")[^)"#\s]+/g) ?? [];
      for (const to of links.filter((link) => !/^[a-z]+:/.test(link)))
        expect(existsSync(join(root, dirname(file), to)), `${file}: ${to}`).toBe(true);
    }
  });

  test('loads no sanitiser, Markdown renderer or threads before something needs them', () => {
    const chunks = filesOf(join(root, 'chunks')).map((name) => join(root, 'chunks', name));
    const loaded = new Set<string>();
    const load = (path: string): void => {
      if (loaded.has(path)) return;
      loaded.add(path);
      const imports = readFileSync(path, 'utf8').matchAll(
        /(?:^|[;\n}])(?:import|export)\s*(?:[^'"();]*?from\s*)?"(\.[^"]+)"/g,
      );
      for (const [, to = ''] of imports) load(join(dirname(path), to));
    };
    for (const path of [join(root, 'cli/main.js'), ...chunks.filter((path) => /\/start-[^/]+$/.test(path))])
      load(path);
    expect(loaded.size).toBeGreaterThan(50);
    for (const name of ['postcss', 'linkify', 'Tinypool']) {
      const having = chunks.filter((path) => readFileSync(path, 'utf8').includes(name));
      expect(having, name).not.toEqual([]);
      for (const path of having) expect(loaded.has(path), `${name} in ${path}`).toBe(false);
    }
  });

  test('contains no path of the machine that built it', () => {
    for (const file of filesOf(root)) expect(readFileSync(join(root, file)).includes(ROOT), file).toBe(false);
  });

  test('has the licence of each bundled package', () => {
    const notices = readFileSync(join(root, 'NOTICES.md'), 'utf8');
    for (const name of ['commander', 'echarts', 'undici', '@scalar/fastify-api-reference', 'lru-cache'])
      expect(notices).toContain(`## ${name} `);
    expect(notices.match(/^## .+ \d+\.\d+\.\d+\S*: /gm)?.length).toBeGreaterThan(50);
  });
});

describe('a new user', () => {
  test('can run version and help by npx', async () => {
    const npx = (...args: string[]) =>
      promisify(execFile)('npx', ['--no', '--', 'offprint', ...args], { cwd: folder });
    const { version }: { version: string } = JSON.parse(read('package.json'));
    expect((await npx('--version')).stdout.trim()).toBe(version);
    const { stdout } = await npx('--help');
    expect(stdout).toContain('npx --no offprint start');
    expect(stdout).not.toContain('npm run');
  });

  test('can start in an empty folder, which then has the database and output', async () => {
    const place = temporaryFolder();
    const server = await startIn(place);
    expect(server.log).toContain('is serving The Offprint Press: 39 posts, 6 authors');
    expect(server.log).toContain('offprint keys create --account NAME --name TEXT');
    expect(readdirSync(place).sort()).toEqual(['data', 'out']);
    expect((await printedIn(place, 'snapshots', 'verify')).trim()).not.toBe('');
    for (const path of [`${PREFIX}/posts/brevity`, '/', '/openapi.json']) {
      expect((await send(server.url, { path })).status, path).toBe(200);
    }
    const { text } = await send(server.url, { path: '/' });
    for (const [, asset = ''] of text.matchAll(/"(\/docs\/[^"]+)"/g))
      expect((await send(server.url, { path: asset })).status, asset).toBe(200);
    expect(await server.end('SIGTERM')).toBe(0);
  });

  test('publishes once at the first start, on any port', async () => {
    const place = temporaryFolder();
    await startIn(place, '--port', String(await freePort()));
    expect(requirePointer(join(place, 'out'))).toMatchObject({ previous: [] });
  });

  test('can import a blog, build with threads, create a key, request, export and show the usage', async () => {
    const place = temporaryFolder();
    const blog = writtenBlog(150);
    expect(await printedIn(place, 'import', 'markdown', blog, '--site', 'https://blog.example')).toContain(
      'imported 150 posts',
    );
    expect(await printedIn(place, 'build')).toContain('150 posts');
    const created = await printedIn(place, 'keys', 'create', '--json', '--account', 'ada', '--name', 'site');
    const key = /opk_\w{8}_\w{38}/.exec(created)?.[0] ?? '';
    const server = await startIn(place);
    const me = await send(server.url, { path: `${PREFIX}/me`, headers: { authorization: `Bearer ${key}` } });
    expect(me.status).toBe(200);
    const post = await send(server.url, { path: `${PREFIX}/posts/post-150` });
    expect(post.text).toContain('<p>Text <em>150</em>.</p>');
    expect(await server.end('SIGTERM')).toBe(0);
    await printedIn(place, 'export', 'plain');
    expect(filesOf(join(place, 'plain')).length).toBeGreaterThan(150);
    expect(filesOf(join(place, 'plain/search'))).toContain('search.js');
    expect(await printedIn(place, 'usage')).toContain('2 requests');
    await printedIn(place, 'backup', 'backup.db');
    await printedIn(place, 'restore', 'backup.db', '--db', 'restored.db');
    expect(await printedIn(place, 'snapshots', 'verify')).toMatch(/objects/);
    expect((await runIn(place, ['status', '--json'])).stdout).toContain('"posts"');
  });

  test('can follow a blog, with JSON logs', async () => {
    const place = temporaryFolder();
    const server = await startIn(place, '--log', 'json', '--import', 'markdown', writtenBlog(3));
    expect(server.log).toContain('serving ');
    expect((await send(server.url, { path: `${PREFIX}/posts/post-3` })).status).toBe(200);
    expect(readdirSync(place).sort()).toEqual(['data', 'offprint.json', 'out']);
    expect(await server.end('SIGTERM')).toBe(0);
    expect(server.log).toContain('/posts/post-3');
  });
});

test('can continue with the output of the checkout', async () => {
  const place = temporaryFolder();
  for (const args of [['import', 'markdown', writtenBlog(3), '--site', 'https://blog.example'], ['build']]) {
    const { code, stderr } = await resultOf(spawnOffprint(args, place, {}, CHECKOUT));
    expect(code, stderr).toBe(0);
  }
  const inputs = () => readLastBuild(join(place, 'out'))?.inputs;
  const before = inputs();
  expect(await printedIn(place, 'build')).toContain('nothing to write');
  expect(inputs()).toBe(before);
});
