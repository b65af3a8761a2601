/**
 * The tables of settings equal those that the program reads.
 */
import fastGlob from 'fast-glob';
import { describe, expect, it, vi } from 'vitest';
import * as v from 'valibot';
import { ignoreEmptyVariables, program } from '../../cli/main.ts';
import { type Config, CONFIG } from '../../cli/settings.ts';
import { codeBlocks, inlineCode, read, ROOT, tableRows } from './documents.ts';
import { variablesOfOptions } from './variables.ts';

const SECTION = read('docs/configuration.md');
const named = tableRows(SECTION).flatMap(([name = '']) => inlineCode(name));

/** The parts of a Valibot schema that are used here. */
interface Schema {
  readonly type: string;
  readonly wrapped?: Schema;
  readonly pipe?: readonly Schema[];
  readonly entries?: Readonly<Record<string, Schema>>;
  readonly item?: Schema;
}

/** Keys such as `site.paths.post`, for every setting that is not a group. */
function settingsOf(schema: Schema, path = ''): string[] {
  const entries = entriesOf(schema);
  if (!entries) return [path];
  return Object.entries(entries).flatMap(([key, entry]) =>
    settingsOf(entry, path === '' ? key : `${path}.${key}`),
  );
}

const entriesOf = (schema: Schema): Schema['entries'] => within(schema, ({ entries }) => entries);

/** What a schema has, or one that it is made of. */
function within<Part>(schema: Schema, partOf: (schema: Schema) => Part | undefined): Part | undefined {
  const { wrapped, pipe = [] } = schema;
  return (
    partOf(schema) ??
    [...(wrapped ? [wrapped] : []), ...pipe]
      .map((part) => within(part, partOf))
      .find((found) => found !== undefined)
  );
}

/** Keys of an `offprint.json`, as `settingsOf` names them. */
function keysOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path];
  return Object.entries(value).flatMap(([key, inner]) => keysOf(inner, path === '' ? key : `${path}.${key}`));
}

/** Variables that the source code reads, without those of other programs. */
function readBySource(): string[] {
  const paths = fastGlob.sync('{cli,build,common,data,gateway,contract}/**/*.{ts,mjs}', { cwd: ROOT });
  return paths.flatMap((path) =>
    [
      ...read(path).matchAll(/process\.env(?:\.|\[')(?!npm_|PATH\b|OFFPRINT_SOURCE\b|RUBY|JEKYLL_)(\w+)/g),
    ].map(([, name = '']) => name),
  );
}

const variables = named.filter((name) => /^[A-Z_]+$/.test(name));
const ofOptions = variablesOfOptions(await program());
/** Those that the client of PostgreSQL reads. */
const OF_POSTGRES = ['PGHOST', 'PGPORT', 'PGUSER', 'PGDATABASE', 'PGPASSWORD', 'PGPASSFILE', 'PGSSLMODE'];

describe('docs/configuration.md', () => {
  it('explains every key of offprint.json, and no other', () => {
    const keys = named.filter((name) => !/^[A-Z_]+$/.test(name));
    expect(keys.sort()).toEqual(settingsOf(CONFIG).sort());
  });

  describe('its offprint.json', () => {
    const [example] = codeBlocks(SECTION).filter(({ language }) => language === 'json');
    const shown: unknown = JSON.parse(example?.code ?? '');

    it('can be read, and has every key', () => {
      v.parse(CONFIG, shown);
      expect(keysOf(shown).sort()).toEqual(settingsOf(CONFIG).sort());
    });

    it('has every option of an import', () => {
      const imports = within(entriesOf(CONFIG)?.['import'] ?? CONFIG, ({ item }) => item);
      const used = v.parse(CONFIG, shown).import.flatMap((one) => Object.keys(one));
      expect([...new Set(used)].sort()).toEqual(settingsOf(imports ?? CONFIG).sort());
    });

    it('has the default of each setting with a constant one', () => {
      const constant = ({ limits, trusted_proxies, cron }: Config) => ({ limits, trusted_proxies, cron });
      expect(constant(v.parse(CONFIG, shown))).toEqual(constant(v.parse(CONFIG, {})));
    });
  });

  it('has every environment variable without an option, and no other', () => {
    const others = readBySource().filter((name) => !ofOptions.includes(name));
    expect(variables.sort()).toEqual([...new Set(others)].sort());
  });

  it.each([...new Set([...variables, ...ofOptions, ...OF_POSTGRES])])('%s is ignored if empty', (name) => {
    for (const empty of ['', ' \t']) {
      vi.stubEnv(name, empty);
      ignoreEmptyVariables();
      expect(process.env).not.toHaveProperty(name);
    }
    vi.stubEnv(name, 'x');
    ignoreEmptyVariables();
    expect(process.env[name]).toBe('x');
    vi.unstubAllEnvs();
  });
});
