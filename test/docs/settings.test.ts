/** The README's tables of settings are those that the program reads. */
import type { Command } from 'commander';
import fastGlob from 'fast-glob';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { program } from '../../cli/main.ts';
import { CONFIG } from '../../cli/settings.ts';
import { codeBlocks, inlineCode, read, ROOT, section, tableRows } from './documents.ts';

const SECTION = section('README.md', '## Configuration');
const named = tableRows(SECTION).flatMap(([name = '']) => inlineCode(name));

/** `site.paths.post` and its like, for every setting that is not itself a group. */
function settingsOf(schema: z.core.JSONSchema.JSONSchema, path = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
    if (typeof value === 'boolean') return [];
    return value.properties ? settingsOf(value, `${path}${key}.`) : [path + key];
  });
}

/** Every variable that the command line or other code reads. */
function environmentVariables(command: Command): string[] {
  return [
    ...command.options.flatMap(({ envVar }) => envVar ?? []),
    ...command.commands.flatMap(environmentVariables),
  ];
}

function readBySource(): string[] {
  const paths = fastGlob.sync('{cli,build,data,gateway,contract}/**/*.{ts,mjs}', { cwd: ROOT });
  return paths.flatMap((path) =>
    [...read(path).matchAll(/process\.env(?:\.|\[')(\w+)/g)].map(([, name = '']) => name),
  );
}

describe('the README', () => {
  it('has every key of offprint.json, and no other', () => {
    const keys = named.filter((name) => !/^[A-Z_]+$/.test(name));
    expect(keys.sort()).toEqual(settingsOf(z.toJSONSchema(CONFIG, { io: 'input' })).sort());
  });

  it('shows an offprint.json that says what holds without one', () => {
    const [example] = codeBlocks(SECTION).filter(({ language }) => language === 'json');
    const { site: _, ...shown } = CONFIG.parse(JSON.parse(example?.code ?? ''));
    const { site: __, ...defaults } = CONFIG.parse({});
    expect(shown).toEqual(defaults);
  });

  it('has every environment variable, and no other', async () => {
    const variables = named.filter((name) => /^[A-Z_]+$/.test(name));
    expect(variables.sort()).toEqual(
      [...new Set([...environmentVariables(await program()), ...readBySource()])].sort(),
    );
  });
});
