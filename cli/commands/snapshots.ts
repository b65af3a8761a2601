import { Command } from 'commander';
import { colours } from '../colours.ts';
import { publications, readPointer } from '../../build/pointer-file.ts';
import { NothingPublished } from '../../build/errors.ts';
import { GRACE_MS, prune } from '../../build/snapshots/prune.ts';
import { release, rollBack } from '../../build/snapshots/rollback.ts';
import { verifySnapshot } from '../../build/snapshots/verify.ts';
import type { Pointer } from '../../contract/pointer.ts';
import { SnapshotFaulty } from '../failure.ts';
import { command } from '../options.ts';
import { counted, megabytes, table } from '../terminal.ts';

interface Options {
  readonly out: string;
  readonly json?: boolean;
}

export function snapshotsCommand(): Command {
  const shared = ['out', 'config', 'json'] as const;
  return new Command('snapshots')
    .description('list, roll back to, verify and prune what was published')
    .addCommand(command('list', 'the snapshots that are kept', shared, 'snapshots list').action(list))
    .addCommand(
      command('rollback', 'serve an earlier snapshot, and hold it', shared, 'snapshots rollback v6upn6')
        .argument('<id>', 'the snapshot, or its first characters')
        .action(rollback),
    )
    .addCommand(
      command('release', 'end a rollback: builds publish again', shared, 'snapshots release').action(end),
    )
    .addCommand(
      command(
        'verify',
        'read all that the current snapshot names, and check it',
        shared,
        'snapshots verify',
      ).action(verify),
    )
    .addCommand(
      command('prune', 'remove objects that no kept snapshot names', shared, 'snapshots prune')
        .option('--now', 'also those that were written in the last ten minutes')
        .action(pruneNow),
    );
}

function list({ out, json }: Options): void {
  const pointer = pointerOf(out);
  const all = publications(pointer);
  if (json) {
    console.log(JSON.stringify({ held: pointer.held, snapshots: all }));
    return;
  }
  const rows = all.map(({ snapshot, built_at, posts }, i) => [
    ...[snapshot, built_at, String(posts)],
    i > 0 ? '' : pointer.held ? 'served, held' : 'served',
  ]);
  console.log(table(['snapshot', 'built', 'posts', ''], rows));
}

function rollback(id: string, { out, json }: Options): void {
  const { snapshot, posts } = rollBack(out, id);
  console.log(
    json
      ? JSON.stringify({ snapshot, posts, held: true })
      : `${colours.green('rolled back')} to ${snapshot}, ${counted(posts, 'post')}. Builds publish nothing until "snapshots release".`,
  );
}

function end({ out, json }: Options): void {
  const released = release(out);
  const said = released
    ? `${colours.green('released')}: the next build publishes again`
    : 'No snapshot is held.';
  console.log(json ? JSON.stringify({ released }) : said);
}

function verify({ out, json }: Options): void {
  const report = verifySnapshot(out, pointerOf(out).snapshot);
  const { snapshot, objects, bytes, faults } = report;
  if (json) console.log(JSON.stringify(report));
  else for (const { object, fault } of faults) console.error(`${colours.red('fault')} ${object} ${fault}`);
  if (faults.length > 0) throw new SnapshotFaulty(snapshot, faults.length);
  if (!json) {
    console.log(
      `${colours.green('verified')} ${snapshot}: ${counted(objects, 'object')}, ${megabytes(bytes)}, all as they should be`,
    );
  }
}

function pruneNow({ out, json, now = false }: Options & { readonly now?: boolean }): void {
  const report = prune(out, new Date(), now ? 0 : GRACE_MS);
  const { removed, bytes, kept } = report;
  console.log(
    json
      ? JSON.stringify(report)
      : `${colours.green('pruned')} ${counted(removed, 'object')} (${megabytes(bytes)}); ${counted(kept, 'object')} in use`,
  );
}

function pointerOf(out: string): Pointer {
  const pointer = readPointer(out);
  if (!pointer) throw new NothingPublished(out);
  return pointer;
}
