import type { Command } from 'commander';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { FORMAT_NAMES, isFormatName } from '../../import/format-names.ts';
import { isRemote } from '../../import/sources/fingerprint.ts';
import { WrongUsage } from '../failure.ts';
import { describeRecognised, recognise, withFormat } from '../recognise.ts';
import { addImport, type AddedImport, DEFAULT_CONFIG, readConfig } from '../settings.ts';

/** The blog of `--import`, and how it was recognised; null: the configuration already has it. */
export type NewImport = AddedImport & { readonly recognised?: string };

/**
 * Adds the blog of `start --import` to the configuration; if its format is not given, it is recognised.
 *
 * @param words a path, or a format and a path
 * @throws WrongUsage, and errors of `recognise` and `addImport`
 */
export async function addedImport(
  config: string | undefined,
  words: readonly string[],
  typed: Command,
): Promise<NewImport | null> {
  const [first = '', second, ...more] = words;
  if (more.length === 0 && second !== undefined && isFormatName(first))
    return addImport(config, first, second);
  if (second !== undefined || isFormatName(first))
    throw new WrongUsage(
      `--import takes a path, or a format (${FORMAT_NAMES.join(', ')}) and a path, such as: --import ../blog`,
    );
  if (isFollowed(config, first)) return null;
  const found = await recognise(first, (format) => withFormat(typed, '--import', format));
  const added = addImport(config, found.format, first);
  return added && { ...added, recognised: describeRecognised(first, found) };
}

function isFollowed(config: string | undefined, path: string): boolean {
  const absolute = isRemote(path) ? path : resolve(path);
  return (
    existsSync(config ?? DEFAULT_CONFIG) && readConfig(config).import.some((one) => one.path === absolute)
  );
}
