import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { OtherBlog } from '../../build/errors.ts';
import { guardLimits, publishedLimits } from '../../build/output/guards.ts';
import { guardOwnDatabase } from '../../build/output/output-guard.ts';
import { publications, readPointer } from '../../build/output/pointer-file.ts';
import { objectsOf, slugsOf } from '../../build/history/reachable.ts';
import { verifySnapshot } from '../../build/history/verify.ts';
import { NothingPublished } from '../../common/errors.ts';
import { SILENT } from '../../common/progress.ts';
import { objectPath } from '../../contract/object-name.ts';
import { parsePointer, type Pointer, POINTER_PATH, requireFormat } from '../../contract/pointer.ts';
import { listWithdrawals } from '../../data/withdrawals.ts';
import { commandLine, quoted } from '../command-line.ts';
import { buildOptions } from '../options.ts';
import { count, counted } from '../terminal.ts';
import { error, explained, failed, type Finding, ok, warning } from './finding.ts';
import { type Installation, ownDatabases } from './installation.ts';
import { examining } from './read-database.ts';

/** Up to this number of posts, objects are read and their hashes compared. In larger blogs only their existence is checked. */
const READ_POSTS = 2000;

/** Whether the published snapshot is complete, and of this blog. */
export function checkPublished(installation: Installation): Finding[] {
  const { out } = installation;
  if (statSync(out, { throwIfNoEntry: false })?.isFile())
    return [error(`${out} is a file, and the output must be a folder.`, 'Name another with --out.')];
  const pointer = pointerOf(out);
  if (!('snapshot' in pointer)) return [pointer];
  const fault = firstFault(out, pointer);
  if (fault !== null) return [fault];
  return [
    ok(`snapshot ${pointer.snapshot} is whole: ${counted(pointer.posts, 'post')}`),
    ...heldBack(pointer),
    ...lostLimits(installation, pointer),
    ...otherBlog(installation, pointer),
    ...withdrawnButServed(installation, pointer),
  ];
}

function pointerOf(out: string): Pointer | Finding {
  if (!existsSync(join(out, POINTER_PATH))) return failed(new NothingPublished(out));
  try {
    return requireFormat(parsePointer(readFileSync(join(out, POINTER_PATH), 'utf8')));
  } catch (thrown) {
    return explained(thrown instanceof Error ? thrown.message : String(thrown));
  }
}

function firstFault(out: string, pointer: Pointer): Finding | null {
  const repair = `Run ${commandLine('build --full')}, or go back: ${commandLine('snapshots rollback ID')}`;
  if (pointer.posts <= READ_POSTS) {
    const [fault, ...others] = verifySnapshot(out, pointer).faults;
    if (!fault) return null;
    const more = others.length === 0 ? '' : `, and ${counted(others.length, 'more fault')}`;
    return error(`The snapshot is damaged: ${fault.object} ${fault.fault}${more}.`, repair);
  }
  try {
    let missing = 0;
    let example = '';
    for (const { kind, hash } of objectsOf(out, pointer.snapshot)) {
      const path = objectPath(kind, hash);
      if (existsSync(join(out, path))) continue;
      missing += 1;
      example = path;
    }
    return missing === 0
      ? null
      : error(`${count(missing)} of the snapshot's files are missing, such as ${example}.`, repair);
  } catch (thrown) {
    return error(
      `The snapshot is damaged: ${thrown instanceof Error ? thrown.message : String(thrown)}.`,
      repair,
    );
  }
}

function heldBack({ held }: Pointer): Finding[] {
  if (!held) return [];
  return [
    warning(
      'The snapshot is held since a rollback, so builds publish nothing.',
      `When all is well: ${commandLine('snapshots release')}`,
    ),
  ];
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

/** Skipped without the settings, and for a live database: reading its address would write files. */
function otherBlog(installation: Installation, pointer: Pointer): Finding[] {
  const { db, source, settings, configFault, config: _, ...flags } = installation;
  if (source !== undefined || configFault !== null || !existsSync(db)) return [];
  try {
    examining(db, () => guardOwnDatabase(buildOptions({ ...flags, db }, settings, SILENT), pointer));
    return [];
  } catch (thrown) {
    return thrown instanceof OtherBlog ? [failed(thrown)] : []; // The database check reports other errors.
  }
}

/** Articles of a withdrawal that was not finished, or of a build that did not know of it. */
function withdrawnButServed(installation: Installation, pointer: Pointer): Finding[] {
  const { out, keys } = installation;
  if (!ownDatabases(installation).includes(keys)) return [];
  try {
    const withdrawn = examining(keys, (db) => {
      const hasOther = db
        .prepare<[string]>("SELECT 1 FROM posts WHERE slug = ? AND status <> 'archived'")
        .pluck();
      return listWithdrawals(db).filter(({ slug }) => hasOther.get(slug) === undefined);
    });
    return publications(pointer).flatMap(({ snapshot }) => {
      const served = withdrawn.length === 0 ? [] : slugsOf(out, snapshot);
      return withdrawn
        .filter(({ slug }) => served.includes(slug))
        .map(({ slug }) =>
          error(
            snapshot === pointer.snapshot
              ? `The article "${slug}" is withdrawn, but still served.`
              : `The article "${slug}" is withdrawn, but the earlier snapshot ${snapshot} still has it.`,
            commandLine(`withdraw ${quoted(slug)}`),
          ),
        );
    });
  } catch {
    return []; // The database check reports why.
  }
}

/** The current snapshot; undefined if missing or unreadable. */
export function servedSnapshot(out: string): Pointer | undefined {
  try {
    return readPointer(out);
  } catch {
    return undefined;
  }
}
