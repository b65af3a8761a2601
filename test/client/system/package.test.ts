/** The client as users get it: `npm pack`, installed in an empty folder. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { codeBlocks, read } from '../../docs/documents.ts';
import { sampleBlog } from '../../service/blogs.ts';
import { inProcessHome } from '../../service/in-process-home.ts';
import { installedClient } from '../installed.ts';

const run = promisify(execFile);
const TSC = fileURLToPath(new URL('../../../node_modules/.bin/tsc', import.meta.url));
const TYPES = fileURLToPath(new URL('../../../node_modules/@types', import.meta.url));

describe('the package', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await installedClient();
  });

  it('has only the needed files', () => {
    const installed = join(folder, 'node_modules');
    expect(readdirSync(installed).filter((name) => !name.startsWith('.'))).toEqual(['offprint-client']);
    const names = readdirSync(join(installed, 'offprint-client'));
    expect(names.sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
    const codeIn = (folder: string) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.[jt]s$/.test(name));
    const files = codeIn(join(installed, 'offprint-client/dist'));
    const sources = codeIn(fileURLToPath(new URL('../../../client/source', import.meta.url)));
    const expected = sources.flatMap((name) => [name.replace(/ts$/, 'js'), name.replace(/ts$/, 'd.ts')]);
    expect(files.sort()).toEqual(expected.sort());
    const manifest: Record<string, unknown> = JSON.parse(read('client/package.json'));
    expect(manifest['dependencies']).toBeUndefined();
    expect(manifest['version']).toBe(JSON.parse(read('package.json')).version);
    expect(read('client/LICENSE')).toBe(read('LICENSE'));
  });

  it('names the types of each entry also for compilers that do not read `exports`', () => {
    const manifest = JSON.parse(read('client/package.json'));
    const entries = Object.entries<{ readonly types: string }>(manifest.exports);
    expect(entries.map(([entry]) => entry)).toContain('./files');
    for (const [entry, { types }] of entries) {
      const named = entry === '.' ? manifest.types : manifest.typesVersions['*'][entry.slice(2)][0];
      expect(named, entry).toBe(types);
      expect(existsSync(join(folder, 'node_modules/offprint-client', types))).toBe(true);
    }
  });

  it('is under 4 kB, minified by esbuild and gzipped', async () => {
    const entry = join(folder, 'node_modules/offprint-client/dist/index.js');
    const { outputFiles } = await build({
      entryPoints: [entry],
      bundle: true,
      minify: true,
      format: 'esm',
      write: false,
    });
    const [file] = outputFiles;
    expect(gzipSync(file?.contents ?? '', { level: 9 }).length).toBeLessThan(4000);
    expect(file?.text).toContain('OffprintError');
  });

  it('works in Node', async () => {
    const service = await inProcessHome.serve(await sampleBlog());
    try {
      const program = `
        import { createClient, OffprintError } from 'offprint-client';
        import { syncFolder } from 'offprint-client/files';
        const blog = createClient({ url: '${service.url}' });
        const articles = new Map();
        const { changed } = await blog.sync({
          load() {}, save() {}, put: (article) => void articles.set(article.slug, article),
          delete() {}, slugs: () => articles.keys(),
        });
        const missing = await blog.post('nowhere').catch((error) => error);
        const copy = await syncFolder(blog, 'copy');
        console.log(JSON.stringify([changed.length, copy.articles.size, articles.get('brevity').title, missing instanceof OffprintError]));`;
      writeFileSync(join(folder, 'program.mjs'), program);
      const { stdout } = await run(process.execPath, ['program.mjs'], { cwd: folder });
      expect(JSON.parse(stdout)).toEqual([39, 39, 'On Brevity', true]);
    } finally {
      await service.close();
    }
  });

  it.each([
    ['with the types of Node', ['--lib', 'ES2022', '--types', 'node', '--typeRoots', TYPES]],
    ['with those of browsers', ['--lib', 'ES2022,DOM,DOM.Iterable', '--types', '']],
  ])('compiles strictly %s, as the README uses it', async (_, options) => {
    const isNode = options.includes('node');
    const [first = '', ...ofNode] = codeBlocks(read('client/README.md'))
      .filter(({ language }) => language === 'ts')
      .map(({ code }) => code);
    const programs = isNode ? [first, ...ofNode] : [first];
    expect(programs).toHaveLength(isNode ? 3 : 1);
    const names = programs.map((_, i) => `example-${i}.ts`);
    programs.forEach((code, i) => writeFileSync(join(folder, `example-${i}.ts`), code));
    const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
    const modules = [
      '--module',
      'NodeNext',
      '--target',
      'ES2022',
      '--noEmit',
      '--ignoreConfig',
      '--skipLibCheck',
      'false',
    ];
    const { stdout } = await run(TSC, [...strict, ...modules, ...options, ...names], { cwd: folder }).catch(
      (error: unknown) => ({ stdout: String(Object(error).stdout) }),
    );
    expect(stdout).toBe('');
  });
});
