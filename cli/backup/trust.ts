/**
 * What a backup may do only with the owner's trust. Others may have written its configuration, which decides where
 * `restore` writes, and what later commands read, run and call.
 */
import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { FormatName } from '../../import/format-names.ts';
import { takesOption } from '../../import/formats.ts';
import { shownAddress } from '../../common/shown-address.ts';
import { isRemote } from '../../import/sources/fingerprint.ts';
import { type Config, DEFAULT_DB, DEFAULT_OUT } from '../settings.ts';
import { type BackupFlags, backupParts } from './parts.ts';

/** A place outside the folder, a program or an address that a backup would put in force. */
export interface Untrusted {
  /** `import.0.engine`, or the name of a part of the backup. */
  readonly setting: string;
  readonly value: string;
  readonly why: string;
}

/**
 * Lists what needs trust. Places need none below the folder, and where an option names them. Public data needs none
 * (`site`, `api_url`, `html`, `limits`): it is the backup's, as the articles are.
 *
 * @param config the backup's
 * @param here the folder in which the command runs
 */
export function untrustedIn(flags: BackupFlags, config: Config, here: string): readonly Untrusted[] {
  const named = [flags.db, flags.keys, flags.config]
    .flatMap((path) => (path === undefined ? [] : resolve(here, path)))
    .filter((path) => path !== DEFAULT_DB);
  const roots = [here, ...(flags.out === DEFAULT_OUT ? [] : [resolve(here, flags.out)])].map(realPlace);
  const outside = (path: string): string | null => {
    const real = realPlace(path);
    if (real !== null && roots.some((root) => root !== null && isWithin(root, real))) return null;
    if (real === null) return 'a broken link';
    return real === path ? `outside ${here}` : `a link to ${real}, outside ${here}`;
  };
  const item = (setting: string, value: string, why: string | null): Untrusted[] =>
    why === null ? [] : [{ setting, value, why }];

  const { import: imports, webhooks } = config;
  return [
    ...imports.flatMap(({ format, path, engine, views }, at) => [
      ...item(`import.${at}.path`, shownAddress(path), isRemote(path) ? 'an address' : outside(path)),
      ...item(`import.${at}.format`, format ?? 'recognised', whyFormat(format)),
      ...(engine === undefined ? [] : item(`import.${at}.engine`, engine, 'a program')),
      ...(views === undefined ? [] : item(`import.${at}.views`, views, outside(views))),
    ]),
    ...webhooks.flatMap((url, at) => item(`webhooks.${at}`, shownAddress(url), 'an address')),
    // Files are replaced, not followed, so only their folders may lead elsewhere.
    ...backupParts(flags)
      .map(({ name, path }) => ({ name, path: resolve(here, path) }))
      .filter(({ path }) => !named.includes(path))
      .flatMap(({ name, path }) => item(name, path, outside(dirname(path)))),
  ];
}

function whyFormat(format: FormatName | undefined): string | null {
  if (format === undefined) return "runs the site's code if it is one of Hugo or Jekyll";
  return takesOption(format, 'engine') ? "runs the site's code" : null;
}

/** Formats the list, one line each. */
export function describeUntrusted(untrusted: readonly Untrusted[]): string {
  return untrusted
    .map(({ setting, value, why }) => `  ${setting} ${JSON.stringify(value)}: ${why}`)
    .join('\n');
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(join(folder, '/'));
}

/** Where a path leads, even if it does not exist yet. @returns null if it leads through a broken link */
function realPlace(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    if (isLink(path)) return null;
    const parent = realPlace(dirname(path));
    return parent === null ? null : join(parent, basename(path));
  }
}

function isLink(path: string): boolean {
  try {
    return readlinkSync(path) !== '';
  } catch {
    return false; // Not a link, missing, or closed to this user, who then cannot write there.
  }
}
