/**
 * Allowed imports (docs/contributors/architecture.md), checked in the source text, for types and values.
 */
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastGlob from 'fast-glob';
import { describe, expect, it } from 'vitest';
import { FORMAT_NAMES } from '../import/format-names.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

interface Rule {
  /** The files of the rule: paths with this prefix, except those with a prefix in `except`. */
  readonly files: string;
  readonly except?: readonly string[];
  /** Folders and files that may be imported, by prefix. */
  readonly parts: readonly string[];
  /** Null: any package, and `node:` modules. */
  readonly packages: readonly string[] | null;
}

/** Platform-specific code: each serves the core, and does not import another. */
const HOMES = ['gateway/node/', 'gateway/worker/'];
/** Code for any platform with the Web's `fetch`; not platform-specific itself. */
const FETCH = 'gateway/fetch/';
const CORE = { files: 'gateway/', except: [...HOMES, FETCH] } as const;

/** The formats of blogs, by folder. */
const FORMATS = FORMAT_NAMES.map((name) => `import/${name}/`);
/** The only file that may import a format's folder from outside. */
const LIST_OF_FORMATS = 'import/formats.ts';
/** The border between reading and writing a blog. */
const IMPORTED_ITEM = 'import/imported-item.ts';

/** The database, which accounts and imported posts share. They do not import each other. */
const DATABASE = [
  ...['database', 'errors', 'migrations', 'sample-origin', 'skipped-row', 'tag-writer', 'withdrawals'].map(
    (name) => `data/${name}.ts`,
  ),
  ...['common/', 'contract/'],
];

const RULES: readonly Rule[] = [
  { files: 'contract/', parts: ['contract/'], packages: [] },
  { files: 'client/', except: ['client/source/files/'], parts: ['client/'], packages: [] },
  {
    files: 'client/source/files/',
    parts: ['client/'],
    packages: ['node:crypto', 'node:fs/promises', 'node:path'],
  },
  { files: 'common/bucket/', parts: ['common/', 'contract/'], packages: null },
  { files: 'common/content/', parts: ['common/', 'contract/'], packages: null },
  {
    files: 'common/',
    except: ['common/bucket/', 'common/content/'],
    parts: ['common/', 'contract/'],
    packages: ['node:crypto', 'node:fs', 'node:path', 'node:url'],
  },
  { files: 'data/accounts/', parts: [...DATABASE, 'data/accounts/'], packages: null },
  { files: 'data/imported/', parts: [...DATABASE, 'data/imported/', IMPORTED_ITEM], packages: null },
  {
    files: 'data/',
    except: ['data/imported/'],
    parts: ['data/', 'common/', 'contract/'],
    packages: null,
  },
  { files: 'import/', parts: ['import/', 'common/', 'contract/'], packages: null },
  {
    files: 'build/',
    except: ['build/description/', 'build/export/'],
    parts: ['build/', 'data/', 'common/', 'contract/'],
    packages: null,
  },
  // Its lists are those of the core.
  { files: 'build/export/', parts: ['build/', 'common/', 'contract/', 'gateway/'], packages: null },
  // It asks the core for its examples, and depends on nothing else.
  { files: 'build/description/', parts: ['build/', 'contract/', 'gateway/'], packages: [] },
  { ...CORE, parts: ['gateway/', 'contract/'], packages: ['lru-cache', 'ipaddr.js'] },
  { files: FETCH, parts: ['gateway/', 'contract/'], packages: [] },
  { files: 'gateway/node/', parts: ['gateway/', 'common/', 'contract/'], packages: null },
  {
    files: 'gateway/worker/',
    parts: ['gateway/', 'contract/'],
    packages: ['lru-cache', 'cloudflare:workers', '@cloudflare/workers-types'],
  },
];

const SPECIFIER =
  /^\s*(?:import|export)\b[^'";]*?\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|\b(?:import|require)\(\s*['"]([^'"]+)['"]/gm;

/** What a file imports: `node:fs`, `lru-cache`, `./reply.ts`. */
function importsOf(text: string): string[] {
  return [...text.matchAll(SPECIFIER)].map(([, from, bare, called]) => from ?? bare ?? called ?? '');
}

/** The imports of a file that break a rule; empty: none. */
function faultsIn(path: string, text: string): string[] {
  const rule = RULES.find(
    ({ files, except = [] }) => path.startsWith(files) && !except.some((part) => path.startsWith(part)),
  );
  if (!rule) return [];
  return importsOf(text).filter((specifier) => !isAllowed(rule, path, specifier));
}

function isAllowed({ files, parts, packages }: Rule, path: string, specifier: string): boolean {
  if (!specifier.startsWith('.')) return packages === null || packages.includes(specifier);
  const target = posix.join(posix.dirname(path), specifier);
  const home = HOMES.find((folder) => target.startsWith(folder));
  if (home !== undefined && home !== files) return false;
  if (target.startsWith(FETCH) && files !== FETCH && files !== 'gateway/worker/') return false;
  const format = FORMATS.find((folder) => target.startsWith(folder));
  if (format !== undefined && !path.startsWith(format) && path !== LIST_OF_FORMATS) return false;
  return parts.some((part) => target.startsWith(part));
}

/** The first circle of imports, types included: `a.ts → b.ts → a.ts`; null: none. @param files path → text */
function circleIn(files: ReadonlyMap<string, string>): string | null {
  const done = new Set<string>();
  const circleFrom = (path: string, before: readonly string[]): string | null => {
    if (before.includes(path)) return [...before.slice(before.indexOf(path)), path].join(' → ');
    if (done.has(path)) return null;
    for (const specifier of importsOf(files.get(path) ?? '').filter((one) => one.startsWith('.'))) {
      const target = posix.join(posix.dirname(path), specifier);
      const circle = files.has(target) ? circleFrom(target, [...before, path]) : null;
      if (circle !== null) return circle;
    }
    done.add(path);
    return null;
  };
  for (const path of files.keys()) {
    const circle = circleFrom(path, []);
    if (circle !== null) return circle;
  }
  return null;
}

describe('imports', () => {
  it.each(RULES.map(({ files }) => files))('follow the rule for %s', (folder) => {
    const paths = fastGlob.sync(`${folder}**/*.ts`, { cwd: ROOT });
    expect(paths.length).toBeGreaterThan(2);
    const faults = paths.flatMap((path) =>
      faultsIn(path, readFileSync(ROOT + path, 'utf8')).map((specifier) => `${path} imports ${specifier}`),
    );
    expect(faults).toEqual([]);
  });

  it('go in one direction in contract/', () => {
    const paths = fastGlob.sync('contract/**/*.ts', { cwd: ROOT });
    expect(paths.length).toBeGreaterThan(2);
    expect(circleIn(new Map(paths.map((path) => [path, readFileSync(ROOT + path, 'utf8')])))).toBeNull();
  });

  it('are a circle also if one of them is of a type', () => {
    const files = new Map([
      ['a.ts', "import { b } from './b/b.ts';"],
      ['b/b.ts', "import { d } from '../d.ts';\nimport type { C } from './c.ts';"],
      ['b/c.ts', "export { b } from './b.ts';"],
      ['d.ts', ''],
    ]);
    expect(circleIn(files)).toBe('b/b.ts → b/c.ts → b/b.ts');
    files.set('b/c.ts', "import '../d.ts';");
    expect(circleIn(files)).toBeNull();
  });

  it('are found in every syntactic form', () => {
    const text = [
      "import a from 'a';",
      "import type { B } from './b.ts';",
      "import {\n  c,\n  type D,\n} from '../c.ts';",
      "import 'e';",
      "export * from './f.ts';",
      "const g = await import('g');",
      "const h = require('h/package.json');",
      " * a comment that speaks of import and from 'nowhere'",
    ].join('\n');
    expect(importsOf(text)).toEqual(['a', './b.ts', '../c.ts', 'e', './f.ts', 'g', 'h/package.json']);
  });

  it.each([
    ['contract/pages.ts', 'node:fs'],
    ['contract/pages.ts', 'lru-cache'],
    ['contract/pages.ts', 'cloudflare:workers'],
    ['contract/pages.ts', '../build/build.ts'],
    ['client/source/client.ts', '../../contract/api.ts'],
    ['client/source/client.ts', 'node:fs'],
    ['client/source/client.ts', 'undici'],
    ['client/source/files/json-file.ts', 'undici'],
    ['client/source/files/json-file.ts', '../../../common/errors.ts'],
    ['common/errors.ts', '../build/errors.ts'],
    ['common/errors.ts', '../data/errors.ts'],
    ['common/content/date.ts', '../../build/build.ts'],
    ['common/content/text.ts', '../../data/database.ts'],
    ['common/content/text.ts', '../../import/imported-item.ts'],
    ['common/output-files.ts', 'markdown-it'],
    ['common/output-files.ts', 'undici'],
    ['common/bucket/s3-client.ts', '../../build/publish/bucket.ts'],
    ['data/imported/import.ts', '../accounts/keys.ts'],
    ['data/imported/import.ts', '../../import/formats.ts'],
    ['import/formats.ts', '../data/database.ts'],
    ['import/formats.ts', '../data/imported/import.ts'],
    ['import/formats.ts', '../build/build.ts'],
    ['import/formats.ts', '../gateway/gateway.ts'],
    ['import/ghost/read.ts', '../wordpress/post.ts'],
    ['import/ghost/read.ts', '../markdown/losses.ts'],
    ['import/hugo/pages.ts', '../markdown/place.ts'],
    ['import/jekyll/pages.ts', '../markdown/place.ts'],
    ['import/engine/post.ts', '../markdown/post.ts'],
    ['import/front-matter/cover.ts', '../markdown/place.ts'],
    ['import/hugo/pages.ts', '../jekyll/pages.ts'],
    ['import/article/term.ts', '../ghost/post.ts'],
    ['import/engine/page.ts', '../hugo/pages.ts'],
    ['build/build.ts', '../import/imported-item.ts'],
    ['data/accounts/keys.ts', '../../build/build.ts'],
    ['data/database.ts', '../gateway/gateway.ts'],
    ['data/database.ts', '../cli/settings.ts'],
    ['build/build.ts', '../gateway/gateway.ts'],
    ['build/snapshot/documentation.ts', '../../gateway/gateway.ts'],
    ['build/description/openapi.ts', '../../gateway/node/http-server.ts'],
    ['build/description/openapi.ts', 'node:fs'],
    ['build/export/export.ts', '../../gateway/node/disk-snapshot-store.ts'],
    ['build/export/export.ts', '../../data/database.ts'],
    ['build/build.ts', '../cli/settings.ts'],
    ['gateway/gateway.ts', 'node:crypto'],
    ['gateway/gateway.ts', 'valibot'],
    ['gateway/gateway.ts', './node/http-server.ts'],
    ['gateway/listing/search.ts', '../node/http-server.ts'],
    ['gateway/gateway.ts', '../build/build.ts'],
    ['gateway/gateway.ts', '../common/object-hash.ts'],
    ['gateway/node/http-server.ts', '../../data/database.ts'],
    ['gateway/node/http-server.ts', '../worker/worker.ts'],
    ['gateway/gateway.ts', './fetch/retry-once.ts'],
    ['gateway/node/http-server.ts', '../fetch/retry-once.ts'],
    ['gateway/fetch/retry-once.ts', '../worker/worker.ts'],
    ['gateway/fetch/retry-once.ts', 'cloudflare:workers'],
    ['gateway/worker/worker.ts', '../node/http-server.ts'],
    ['gateway/worker/worker.ts', '../../build/build.ts'],
    ['gateway/worker/worker.ts', '../../common/object-hash.ts'],
    ['gateway/worker/worker.ts', 'node:crypto'],
  ])('of %s may not include %s', (path, specifier) => {
    expect(faultsIn(path, `import { x } from '${specifier}';`)).toEqual([specifier]);
  });
});
