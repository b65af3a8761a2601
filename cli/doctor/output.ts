import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { OtherBlog } from '../../build/errors.ts';
import { guardLimits, publishedLimits } from '../../build/output/guards.ts';
import { guardDatabase } from '../../build/output/output-guard.ts';
import { publications, requirePointer } from '../../build/output/pointer-file.ts';
import { FolderStorage } from '../../build/history/folder-storage.ts';
import { objectsIn, slugsIn } from '../../build/history/reachable.ts';
import { verify } from '../../build/history/verify.ts';
import { NothingPublished } from '../../common/errors.ts';
import { SILENT } from '../../common/progress.ts';
import { messageOf } from '../../common/thrown.ts';
import type { Pointer } from '../../contract/pointer.ts';
import { listWithdrawals } from '../../data/withdrawals.ts';
import { shellQuoted } from '../../common/shell.ts';
import { commandLine } from '../command-line.ts';
import { buildOptions } from '../options.ts';
import { count, counted } from '../terminal.ts';
import { error, explained, failed, type Finding, ok, warning } from './check.ts';
import { type Installation, databasesOf } from './installation.ts';
import { examining } from './read-database.ts';

/** Up to this number of posts, objects are read and their hashes compared. In larger blogs only their existence is checked. */
const READ_POSTS = 2000;

/** Whether the published snapshot is complete, and of this blog. */
export async function* findOutput(installation: Installation): AsyncIterable<Finding> {
  const { out } = installation;
  if (statSync(out, { throwIfNoEntry: false })?.isFile()) {
    yield error(`${out} is a file, and the output must be a folder.`, 'Name another with --out.');
    return;
  }
  const pointer = pointerOf(out);
  if (!('snapshot' in pointer)) {
    yield pointer;
    return;
  }
  const damage = await damageOf(out, pointer);
  if (damage !== null) {
    const remedy = `Run ${commandLine('build --full')}, or go back: ${commandLine('snapshots rollback ID')}`;
    yield error(damage, remedy);
    return;
  }
  yield ok(`snapshot ${pointer.snapshot} is whole: ${counted(pointer.posts, 'post')}`);
  if (pointer.held)
    yield warning(
      'The snapshot is held since a rollback, so builds publish nothing.',
      `When all is well: ${commandLine('snapshots release')}`,
    );
  yield* lostLimits(installation, pointer);
  yield* otherBlog(installation, pointer);
  yield* withdrawnButServed(installation, pointer);
}

function pointerOf(out: string): Pointer | Finding {
  try {
    return requirePointer(out);
  } catch (thrown) {
    if (thrown instanceof NothingPublished) throw thrown;
    return explained(messageOf(thrown));
  }
}

/** The first fault of the snapshot, as a sentence; null: none. */
async function damageOf(out: string, pointer: Pointer): Promise<string | null> {
  const storage = new FolderStorage(out);
  if (pointer.posts <= READ_POSTS) {
    const [fault, ...others] = (await verify(storage, pointer)).faults;
    const more = others.length === 0 ? '' : `, and ${counted(others.length, 'more fault')}`;
    return fault ? `The snapshot is damaged: ${fault.object} ${fault.fault}${more}.` : null;
  }
  try {
    const named = await objectsIn(storage, pointer.snapshot);
    const missing = [...named].filter((path) => !existsSync(join(out, path)));
    return missing.length === 0
      ? null
      : `${count(missing.length)} of the snapshot's files are missing, such as ${missing[0]}.`;
  } catch (thrown) {
    return `The snapshot is damaged: ${messageOf(thrown)}.`;
  }
}

/** Whether the configuration file is gone, so that the next build would publish other limits. */
function lostLimits({ out, settings, configFault }: Installation, { snapshot }: Pointer): Finding[] {
  if (settings.found || configFault !== null) return [];
  try {
    guardLimits({ name: out, command: 'build' }, publishedLimits(out, snapshot), settings.limits);
    return [];
  } catch (thrown) {
    return [error(failed(thrown).finding, 'Name the configuration with --config, or restore a backup.')];
  }
}

/** Skipped without the settings. */
function otherBlog(installation: Installation, pointer: Pointer): Finding[] {
  const { db, settings, configFault, config: _, ...flags } = installation;
  if (configFault !== null || !existsSync(db)) return [];
  try {
    examining(db, () => guardDatabase(buildOptions({ ...flags, db }, settings, SILENT), pointer));
    return [];
  } catch (thrown) {
    return thrown instanceof OtherBlog ? [failed(thrown)] : []; // The database check reports other errors.
  }
}

/** Articles of a withdrawal that was not finished, or of a build that did not know of it. */
async function* withdrawnButServed(installation: Installation, pointer: Pointer): AsyncIterable<Finding> {
  const { out } = installation;
  const withdrawn = withdrawnSlugs(installation);
  if (withdrawn.length === 0) return;
  const storage = new FolderStorage(out);
  for (const { snapshot } of publications(pointer)) {
    const served = await slugsIn(storage, snapshot);
    for (const slug of withdrawn.filter((one) => served.includes(one)))
      yield error(
        snapshot === pointer.snapshot
          ? `The article "${slug}" is withdrawn, but still served.`
          : `The article "${slug}" is withdrawn, but the earlier snapshot ${snapshot} still has it.`,
        commandLine(`withdraw ${shellQuoted(slug)}`),
      );
  }
}

/** Withdrawn slugs that no other article has. */
function withdrawnSlugs(installation: Installation): readonly string[] {
  const { keys } = installation;
  if (!databasesOf(installation).includes(keys)) return [];
  try {
    return examining(keys, (db) => {
      const hasOther = db
        .prepare<[string]>("SELECT 1 FROM posts WHERE slug = ? AND status <> 'archived'")
        .pluck();
      return listWithdrawals(db)
        .map(({ slug }) => slug)
        .filter((slug) => hasOther.get(slug) === undefined);
    });
  } catch {
    return []; // The database check reports why.
  }
}
