import { type Command } from 'commander';
import { colours } from '../colours.ts';
import { commandLine } from '../command-line.ts';
import { publications } from '../../build/output/pointer-file.ts';
import { FolderStorage } from '../../build/history/folder-storage.ts';
import { prune } from '../../build/history/prune.ts';
import { release, rollBack } from '../../build/history/rollback.ts';
import type { SnapshotStorage } from '../../build/history/storage.ts';
import { verify } from '../../build/history/verify.ts';
import { ExplainedError } from '../../common/errors.ts';
import { type BucketFlags, withBucket } from '../bucket.ts';
import { command, type CommandFlags, givenOptions, mainCommand } from '../options.ts';
import { printable } from '../printable.ts';
import { counted, megabytes, moment, printResult, table } from '../terminal.ts';

type Options = CommandFlags & Partial<BucketFlags>;

export function snapshotsCommand(): Command {
  const shared = ['out', 'config', 'json', 'to', 'endpoint'] as const;
  return mainCommand('snapshots', [], 'snapshots list')
    .addCommand(command('snapshots list', 'list the kept snapshots', shared).action(list))
    .addCommand(
      command(
        'rollback',
        'serve an earlier snapshot until you release it',
        shared,
        'snapshots rollback v6upn6',
      )
        .argument('<id>', 'the ID of the snapshot, or its first characters')
        .option('--force', 'roll back even if this changes your limits')
        .action(rollback),
    )
    .addCommand(
      command('snapshots release', 'end a rollback, so that builds publish again', shared).action(end),
    )
    .addCommand(
      command('snapshots verify', 'check all objects of the current snapshot', shared).action(verifyCurrent),
    )
    .addCommand(
      command('snapshots prune', 'remove objects that no kept snapshot uses', shared)
        .option('--now', 'skip the grace period for recently written files')
        .action(pruneNow),
    );
}

async function list(options: Options): Promise<void> {
  const pointer = await inStorage(options, (storage) => storage.requirePointer());
  const all = publications(pointer);
  const rows = all.map(({ snapshot, built_at, posts }, i) => [
    snapshot,
    moment(built_at),
    String(posts),
    i > 0 ? '' : pointer.held ? 'served, held' : 'served',
  ]);
  printResult(
    options.json,
    { held: pointer.held, snapshots: all },
    table(['snapshot', 'built', 'posts', ''], rows),
  );
}

async function rollback(id: string, options: Options & { readonly force?: boolean }): Promise<void> {
  const { to, json, force } = options;
  const { snapshot, posts } = await inStorage(options, (storage) => rollBack(storage, id, force));
  const builds = to === undefined ? 'Builds publish' : '"publish" changes';
  const next = commandLine(`snapshots release${givenOptions(options, ['out', 'config', 'to', 'endpoint'])}`);
  printResult(
    json,
    { snapshot, posts, held: true },
    `${colours.green('rolled back')} to ${snapshot}, ${counted(posts, 'post')}. ${builds} nothing until you run ${next}`,
  );
}

async function end(options: Options): Promise<void> {
  const { to, json } = options;
  const released = await inStorage(options, release);
  const next = to === undefined ? 'build' : '"publish"';
  const message = released
    ? `${colours.green('released')}: the next ${next} publishes again`
    : 'No snapshot is held.';
  printResult(json, { released }, message);
}

async function verifyCurrent(options: Options): Promise<void> {
  const { to, json } = options;
  const report = await inStorage(options, async (storage) => verify(storage, await storage.requirePointer()));
  const { snapshot, objects, bytes, faults } = report;
  if (json) console.log(JSON.stringify(report));
  else
    for (const { object, fault } of faults)
      console.error(`${colours.red('fault')} ${printable(object)} ${printable(fault)}`);
  if (faults.length > 0) {
    const remedy =
      to === undefined ? 'Repair it with "build --full"' : 'Upload what is missing with "publish --full"';
    throw new ExplainedError(
      `Snapshot ${snapshot} has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}. ` +
        `${remedy}, or go back with "snapshots rollback".`,
    );
  }
  if (!json)
    console.log(
      `${colours.green('verified')} ${snapshot}: ${counted(objects, 'object')}, ${megabytes(bytes)}, no faults`,
    );
}

async function pruneNow({ now = false, ...options }: Options & { readonly now?: boolean }): Promise<void> {
  const report = await inStorage(options, (storage) => prune(storage, now ? 0 : storage.graceMs));
  const { removed, bytes, kept } = report;
  const used = counted(kept, 'object');
  printResult(
    options.json,
    report,
    `${colours.green('pruned')} ${counted(removed, 'object')} (${megabytes(bytes)}); ${used} in use`,
  );
}

/** With `--to`, commands use that bucket, otherwise the output. */
async function inStorage<T>(
  { to, endpoint, out }: Options,
  work: (storage: SnapshotStorage) => Promise<T>,
): Promise<T> {
  return to === undefined ? work(new FolderStorage(out)) : withBucket({ to, endpoint }, out, work);
}
