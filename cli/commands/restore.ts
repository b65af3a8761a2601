import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { ensureStateFolder } from '../../common/output-files.ts';
import { ensurePrivateFolder } from '../../common/private-files.ts';
import { refuseLocked } from '../../data/database.ts';
import { QuotaUnusable } from '../../gateway/node/sqlite-quota-counter.ts';
import { RestoreRefused, RestoreUntrusted } from '../backup/errors.ts';
import { type BackupPart, backupParts } from '../backup/parts.ts';
import type { BackupManifest } from '../backup/manifest.ts';
import { checkPart, openBackup, replaceKeeping } from '../backup/read.ts';
import { describeUntrusted, type Untrusted, untrustedIn } from '../backup/trust.ts';
import { colours } from '../colours.ts';
import { commandLine } from '../command-line.ts';
import { confirm } from '../confirm.ts';
import { type CommandFlags, type DatabaseFlags, mainCommand } from '../options.ts';
import { checkPlace } from '../place.ts';
import { DEFAULT_CONFIG } from '../settings.ts';

interface Options extends DatabaseFlags, CommandFlags {
  readonly force?: boolean;
  readonly check?: boolean;
  readonly trust?: boolean;
}

export function restoreCommand(): Command {
  return mainCommand('restore', ['db', 'source', 'keys', 'out', 'config', 'json'], 'restore blog-backup.zip')
    .argument('<file>', 'a backup')
    .option('--check', 'only check that it is whole and can be used')
    .option('--force', 'replace what is there')
    .option('--trust', 'accept the places, programs and addresses that its configuration names')
    .action(run);
}

/** Extracts and checks all files next to their places before it replaces any. */
async function run(
  file: string,
  { force = false, check = false, trust = false, json, ...flags }: Options,
): Promise<void> {
  const backup = await openBackup(file);
  const folder = check ? mkdtempSync(join(tmpdir(), 'offprint-check-')) : null;
  const stagedAt = ({ name, path }: BackupPart) =>
    folder === null ? `${path}.restoring` : join(folder, name);
  const staged: BackupPart[] = [];
  try {
    const unpack = async (part: BackupPart) => {
      if (folder === null && !existsSync(dirname(part.path))) ensurePrivateFolder(dirname(part.path));
      staged.push(part);
      await backup.unpack(part.name, stagedAt(part));
      checkPart(file, part, stagedAt(part));
    };
    // The configuration in the backup names the places.
    const config = await backup.readConfig(flags.config ?? DEFAULT_CONFIG);
    const untrusted = untrustedIn(flags, config, process.cwd());
    if (folder === null) {
      if (!trust) await askForTrust(file, untrusted);
      ensureStateFolder(flags.out);
    }
    const parts = backupParts(flags, config).filter(({ name }) => backup.has(name));
    for (const part of parts) await unpack(part);
    if (folder === null) {
      await refuseInUse(flags.out, parts);
      const there = parts.filter(({ path }) => existsSync(path)).map(({ path }) => path);
      if (there.length > 0 && !force) throw new RestoreRefused(there);
      const now = new Date();
      for (const part of parts) replaceKeeping(stagedAt(part), part.path, now);
    }
    report(file, backup.manifest, parts, untrusted, check, json ?? false);
  } finally {
    backup.close();
    for (const part of staged) rmSync(stagedAt(part), { force: true });
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  }
}

function report(
  file: string,
  { made_at, offprint }: BackupManifest,
  parts: readonly BackupPart[],
  untrusted: readonly Untrusted[],
  isCheck: boolean,
  json: boolean,
): void {
  const files = parts.map(({ name, path }) => ({ name, path }));
  const answer = { file, made_at, offprint, restored: !isCheck, files, needs_trust: untrusted };
  if (json) return console.log(JSON.stringify(answer));
  const what = `backup of ${made_at} by Offprint ${offprint}`;
  if (isCheck) {
    console.log(`${colours.green('whole:')} ${what}: ${files.map(({ name }) => name).join(', ')}`);
    if (untrusted.length > 0) console.log(`Restoring it needs --trust for:\n${describeUntrusted(untrusted)}`);
    return;
  }
  console.log(`${colours.green('restored')} ${what}: ${files.map(({ path }) => path).join(', ')}`);
  console.log(colours.dim(`Publish it again: ${commandLine('build')}, or ${commandLine('start')}`));
}

/** @throws RestoreUntrusted unless nothing needs trust, or the owner confirms it at a terminal */
async function askForTrust(file: string, untrusted: readonly Untrusted[]): Promise<void> {
  if (untrusted.length === 0) return;
  const list = describeUntrusted(untrusted);
  if (!(await confirm(`${file} names:\n${list}\nTrust all of these?`)))
    throw new RestoreUntrusted(file, list);
}

/** @throws AlreadyServing, QuotaInUse, DatabaseLocked */
async function refuseInUse(out: string, parts: readonly BackupPart[]): Promise<void> {
  await checkPlace(out, '', 0).catch((error: unknown) => {
    if (!(error instanceof QuotaUnusable)) throw error; // Damaged counts are a reason to restore.
  });
  for (const { kind, path } of parts) if (kind === 'ours' && existsSync(path)) refuseLocked(path);
}
