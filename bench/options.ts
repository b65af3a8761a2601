import { parseArgs } from 'node:util';
import { messageOf } from '../common/thrown.ts';

/** The values of an option: by default, and with `--quick`. */
type Defaults = readonly [full: number, quick: number];

/**
 * The options of a benchmark: whole numbers from 1, as in `--posts 1000`. `--quick` selects the short defaults. Prints
 * the usage and exits with 2 if an option is wrong.
 */
export function optionsOf<Name extends string>(
  command: string,
  defaults: Readonly<Record<Name, Defaults>>,
): Readonly<Record<Name, number>> & { readonly quick: boolean; readonly isDefault: boolean } {
  const names = Object.keys(defaults) as Name[];
  try {
    const { values } = parseArgs({
      options: {
        quick: { type: 'boolean' },
        ...Object.fromEntries(names.map((name) => [name, { type: 'string' } as const])),
      },
    });
    const given: Readonly<Record<string, string | boolean | undefined>> = values;
    const quick = given['quick'] === true;
    const numbers = names.map((name) => [name, given[name] ?? defaults[name][quick ? 1 : 0]] as const);
    for (const [name, value] of numbers) {
      if (!/^[1-9]\d*$/.test(String(value))) throw new Error(`--${name} is not a whole number from 1.`);
    }
    const parsed = Object.fromEntries(numbers.map(([name, value]) => [name, Number(value)]));
    return { ...(parsed as Record<Name, number>), quick, isDefault: Object.keys(given).length === 0 };
  } catch (error) {
    const usage = names.map((name) => ` [--${name} ${defaults[name][0]}]`).join('');
    console.error(`${messageOf(error)}\n${command} -- [--quick]${usage}`);
    process.exit(2);
  }
}
