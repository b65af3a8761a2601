/**
 * Allowed imports (docs/contributors/architecture.md), checked in the source text, for types and values.
 */
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastGlob from 'fast-glob';
import { describe, expect, it } from 'vitest';
import { FORMAT_NAMES } from '../import/format-names.ts';
import { importsOf } from './imports.ts';

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

const importsIn = (path: string) => importsOf(readFileSync(ROOT + path, 'utf8'));

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

describe('imports', () => {
  it.each(RULES)('follow the rule for $files', (rule) => {
    const ignore = (rule.except ?? []).map((folder) => `${folder}**`);
    const paths = fastGlob.sync(`${rule.files}**/*.ts`, { cwd: ROOT, ignore });
    expect(paths.length).toBeGreaterThan(2);
    const faults = paths.flatMap((path) =>
      importsIn(path)
        .filter((specifier) => !isAllowed(rule, path, specifier))
        .map((specifier) => `${path} imports ${specifier}`),
    );
    expect(faults).toEqual([]);
  });

  it('go in one direction in contract/', () => {
    let left = fastGlob.sync('contract/**/*.ts', { cwd: ROOT });
    const importedBy = new Map(
      left.map((path) => [path, importsIn(path).map((to) => posix.join(posix.dirname(path), to))]),
    );
    expect([...importedBy.values()].flat().length).toBeGreaterThan(20);
    // Takes away what imports nothing of the rest: what stays is in a circle.
    for (let before = 0; before !== left.length;) {
      before = left.length;
      left = left.filter((path) => importedBy.get(path)?.some((to) => left.includes(to)));
    }
    expect(left).toEqual([]);
  });
});
