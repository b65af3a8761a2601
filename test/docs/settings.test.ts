/**
 * The tables of settings equal those that the program reads.
 */
import type { Command } from 'commander';
import fastGlob from 'fast-glob';
import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { program } from '../../cli/main.ts';
import { CONFIG } from '../../cli/settings.ts';
import { codeBlocks, inlineCode, read, ROOT, tableRows } from './documents.ts';

const SECTION = read('docs/configuration.md');
const named = tableRows(SECTION).flatMap(([name = '']) => inlineCode(name));

/** The parts of a Valibot schema that are used here. */
interface Schema {
  readonly type: string;
  readonly wrapped?: Schema;
  readonly pipe?: readonly Schema[];
  readonly entries?: Readonly<Record<string, Schema>>;
}

/** Keys such as `site.paths.post`, for every setting that is not a group. */
function settingsOf(schema: Schema, path: string): string[] {
  const entries = entriesOf(schema);
  if (!entries) return [path];
  return Object.entries(entries).flatMap(([key, entry]) =>
    settingsOf(entry, path === '' ? key : `${path}.${key}`),
  );
}

function entriesOf({ wrapped, pipe = [], entries }: Schema): Schema['entries'] {
  return entries ?? [...(wrapped ? [wrapped] : []), ...pipe].map(entriesOf).find((found) => found);
}

/** Every variable that sets an option (docs/commands.md lists them). */
function variablesOfOptions(command: Command): string[] {
  return [
    ...command.options.flatMap(({ envVar }) => envVar ?? []),
    ...command.commands.flatMap(variablesOfOptions),
  ];
}

/** Variables that the source code reads, without those of other programs. */
function readBySource(): string[] {
  const paths = fastGlob.sync('{cli,build,common,data,gateway,contract}/**/*.{ts,mjs}', { cwd: ROOT });
  return paths.flatMap((path) =>
    [...read(path).matchAll(/process\.env(?:\.|\[')(?!npm_|PATH\b|RUBY|JEKYLL_)(\w+)/g)].map(
      ([, name = '']) => name,
    ),
  );
}

describe('docs/configuration.md', () => {
  it('has every key of offprint.json, and no other', () => {
    const keys = named.filter((name) => !/^[A-Z_]+$/.test(name));
    expect(keys.sort()).toEqual(settingsOf(CONFIG, '').sort());
  });

  it('has an offprint.json with the default values', () => {
    const [example] = codeBlocks(SECTION).filter(({ language }) => language === 'json');
    const { site: _, ...shown } = v.parse(CONFIG, JSON.parse(example?.code ?? ''));
    const { site: __, ...defaults } = v.parse(CONFIG, {});
    expect(shown).toEqual(defaults);
  });

  it('has every environment variable without an option, and no other', async () => {
    const variables = named.filter((name) => /^[A-Z_]+$/.test(name));
    const ofOptions = new Set(variablesOfOptions(await program()));
    const others = readBySource().filter((name) => !ofOptions.has(name));
    expect(variables.sort()).toEqual([...new Set(others)].sort());
  });
});
