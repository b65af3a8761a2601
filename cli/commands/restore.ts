import { existsSync, mkdtempSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Command } from 'commander';
import { ensureStateFolder } from '../../common/output-files.ts';
import { ensurePrivateFolder } from '../../common/private-files.ts';
import { refuseLocked } from '../../data/database.ts';
import { QuotaUnusable } from '../../gateway/node/sqlite-quota-counter.ts';
import { RestoreRefused, RestoreUntrusted } from '../backup/errors.ts';
import { type BackupFlags, type BackupPart, backupParts } from '../backup/parts.ts';
import type { BackupManifest } from '../backup/manifest.ts';
import { checkPart, openBackup, replaceKeeping } from '../backup/read.ts';
import { describeUntrusted, type Untrusted, untrustedIn } from '../backup/trust.ts';
import { colours } from '../colours.ts';
import { commandLine } from '../command-line.ts';
import { confirm } from '../confirm.ts';
import { type CommandFlags, type DatabaseFlags, givenOptions, mainCommand } from '../options.ts';
import { checkPlace } from '../place.ts';
import { printable } from '../printable.ts';
import { type Config, DEFAULT_CONFIG } from '../settings.ts';

interface Options extends DatabaseFlags, CommandFlags {
  readonly force?: boolean;
  readonly check?: boolean;
  readonly trust?: boolean;
}

/** Why nothing uses a file of a backup, with the settings in it and the given options. */
const UNUSED: Readonly<Record<string, string>> = {
  'keys.db': ': its place is named by --keys, as when the backup was made',
};

export function restoreCommand(): Command {
  return mainCommand('restore', ['db', 'keys', 'out', 'config', 'json'], 'restore blog-backup.zip')
    .argument('<file>', 'a backup')
    .option('--check', 'only check that it is whole and can be used')
    .option('--force', 'replace what is there')
    .option('--trust', 'accept the places, programs and addresses that are in it')
    .action(run);
}

/** Extracts and checks all files next to their places before it replaces any. */
async function run(file: string, options: Options): Promise<void> {
  const { force = false, check = false, trust = false, json: _, ...flags } = options;
  const backup = await openBackup(file);
  const temporary: string[] = [];
  const made: string[] = [];
  const unpack = async (parts: readonly BackupPart[], stagedAt: (part: BackupPart) => string) => {
    for (const part of parts) {
      temporary.push(stagedAt(part));
      await backup.unpack(part.name, stagedAt(part));
      checkPart(file, part, stagedAt(part));
    }
  };
  try {
    // The configuration in the backup names the places.
    const config = await backup.readConfig(flags.config ?? DEFAULT_CONFIG);
    const parts = backupParts(flags).filter(({ name }) => backup.has(name));
    const untrusted = untrustedIn(flags, config, process.cwd());
    if (check) {
      const folder = mkdtempSync(join(tmpdir(), 'offprint-check-'));
      temporary.push(folder);
      await unpack(parts, ({ name }) => join(folder, name));
    } else {
      // Nothing is written to places that nobody has confirmed.
      if (!trust) await askForTrust(file, untrusted);
      refuseMoved(file, untrusted, flags, config);
      const folders = [join(flags.out, 'state'), flags.out, ...parts.map(({ path }) => dirname(path))];
      made.push(...folders.filter((folder) => !existsSync(folder)));
      ensureStateFolder(flags.out);
      for (const { path } of parts) if (!existsSync(dirname(path))) ensurePrivateFolder(dirname(path));
      await unpack(parts, stagedNextTo);
      await refuseInUse(flags.out, parts);
      const there = parts.filter(({ path }) => existsSync(path)).map(({ path }) => path);
      if (there.length > 0 && !force) throw new RestoreRefused(there);
      refuseMoved(file, untrusted, flags, config);
      const now = new Date();
      for (const part of parts) replaceKeeping(stagedNextTo(part), part.path, now);
    }
    report(file, backup.manifest, parts, untrusted, options);
  } finally {
    backup.close();
    for (const path of temporary) rmSync(path, { recursive: true, force: true });
    // If it is refused, nothing stays.
    for (const folder of new Set(made))
      if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
  }
}

function stagedNextTo({ path }: BackupPart): string {
  return `${path}.restoring`;
}

/** @throws RestoreUntrusted if a folder has become a link since the owner was asked */
function refuseMoved(file: string, asked: readonly Untrusted[], flags: BackupFlags, config: Config): void {
  const now = untrustedIn(flags, config, process.cwd());
  if (!isDeepStrictEqual(now, asked)) throw new RestoreUntrusted(file, describeUntrusted(now));
}

function report(
  file: string,
  { made_at, offprint, files: contained }: BackupManifest,
  parts: readonly BackupPart[],
  untrusted: readonly Untrusted[],
  { check = false, json, ...flags }: Options,
): void {
  const files = parts.map(({ name, path }) => ({ name, path }));
  const unused = contained.flatMap(({ name }) => (parts.some((part) => part.name === name) ? [] : name));
  if (json) {
    const result = { restored: !check, files, left_out: unused, needs_trust: untrusted };
    return console.log(JSON.stringify({ file, made_at, offprint, ...result }));
  }
  const what = `backup of ${printable(made_at)} by Offprint ${printable(offprint)}`;
  const listed = files.map(({ name, path }) => (check ? name : path)).join(', ');
  console.log(`${colours.green(check ? 'whole:' : 'restored')} ${what}: ${listed}`);
  for (const name of unused)
    console.log(`${colours.yellow('left out')} ${printable(name)}${UNUSED[name] ?? ''}`);
  if (check && untrusted.length > 0)
    console.log(`Restoring it needs --trust for:\n${describeUntrusted(untrusted)}`);
  const given = givenOptions(flags, ['db', 'keys', 'out', 'config']);
  if (!check)
    console.log(
      colours.dim(`Publish it again: ${commandLine(`build${given}`)}, or ${commandLine(`start${given}`)}`),
    );
}

/** @throws RestoreUntrusted unless nothing needs trust, or the owner confirms it at a terminal */
async function askForTrust(file: string, untrusted: readonly Untrusted[]): Promise<void> {
  if (untrusted.length === 0) return;
  const list = describeUntrusted(untrusted);
  if (!(await confirm(`${file} has:\n${list}\nTrust all of these?`))) throw new RestoreUntrusted(file, list);
}

/** @throws AlreadyServing, QuotaInUse, DatabaseLocked */
async function refuseInUse(out: string, parts: readonly BackupPart[]): Promise<void> {
  await checkPlace(out, '', 0).catch((error: unknown) => {
    if (!(error instanceof QuotaUnusable)) throw error; // Damaged counts are a reason to restore.
  });
  for (const { kind, path } of parts) if (kind === 'ours' && existsSync(path)) refuseLocked(path);
}
