/**
 * Faults of a running service, for `status`: uploads, counts, and build failures that are recorded nowhere else.
 * Each service has its own file, `out/state/faults/PID.json`. The service removes it on exit. Readers ignore files of
 * processes that no longer run.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { OutputUnwritable } from '../common/errors.ts';
import { ensureStateFolder, replaceOrOverwrite } from '../common/output-files.ts';
import { ensurePrivateFolder } from '../common/private-files.ts';
import { isText, listOf, oneOf, parseJson, recordOf } from '../contract/json.ts';
import { isProcessAlive } from './process-alive.ts';

/** What failed. */
export type FaultKind = (typeof FAULT_KINDS)[number];

export const FAULT_KINDS = [
  'checking for changes',
  'the build',
  'importing',
  'publishing',
  'webhooks',
  'counting',
  'following the snapshot',
] as const;

export interface Fault {
  readonly what: FaultKind;
  /** First and last occurrence since the last success. RFC 3339, UTC. */
  readonly since: string;
  readonly last: string;
  readonly message: string;
}

const isFaults = listOf(
  recordOf<Fault>({ what: oneOf(FAULT_KINDS), since: isText, last: isText, message: isText }),
);

/** Fixed file size, so that it can be overwritten in place when the disk is full. */
const FILE_BYTES = 4096;
/** Longer messages are cut. */
const MESSAGE_CHARACTERS = 400;
/** A repeated fault is written again after this time, not at each request. */
const WRITE_MS = 5_000;

export class FaultRecord {
  readonly #out: string;
  readonly #path: string;
  readonly #faults = new Map<FaultKind, Fault>();
  #written = 0;

  /** Creates the record of this process, and removes those of processes that ended. */
  constructor(out: string) {
    this.#out = out;
    this.#path = join(folderIn(out), `${process.pid}.json`);
    this.#begin();
  }

  report(what: FaultKind, message: string): void {
    const now = new Date().toISOString();
    const known = this.#faults.get(what);
    const text = message.slice(0, MESSAGE_CHARACTERS);
    this.#faults.set(what, { what, since: known?.since ?? now, last: now, message: text });
    if (known?.message !== text || Date.now() - this.#written >= WRITE_MS) this.#write();
  }

  /** Writes the record again if it was deleted. */
  restore(): void {
    if (!existsSync(this.#path)) this.#begin();
  }

  #begin(): void {
    const folder = folderIn(this.#out);
    try {
      ensureStateFolder(this.#out);
      ensurePrivateFolder(folder);
      for (const name of readdirSync(folder)) if (!isAlive(name)) rmSync(join(folder, name), { force: true });
    } catch {
      return; // A folder that cannot be written is reported by what needs it.
    }
    this.#write();
  }

  has(what: FaultKind): boolean {
    return this.#faults.has(what);
  }

  /** Clears a fault after a success. */
  clear(...whats: readonly FaultKind[]): void {
    const cleared = whats.map((what) => this.#faults.delete(what));
    if (cleared.includes(true)) this.#write();
  }

  close(): void {
    try {
      rmSync(this.#path, { force: true });
    } catch {
      // Readers ignore it when this process has ended.
    }
  }

  #write(): void {
    this.#written = Date.now();
    const text = JSON.stringify([...this.#faults.values()]).padEnd(FILE_BYTES);
    try {
      replaceOrOverwrite(this.#path, text);
    } catch (error) {
      if (!(error instanceof OutputUnwritable)) throw error; // No file can be written: only the log has the fault.
    }
  }
}

/** The faults of all services running on this output. */
export function readFaults(out: string): Fault[] {
  return runningServices(out).flatMap((pid) => {
    try {
      const text = readFileSync(join(folderIn(out), `${pid}.json`), 'utf8');
      return [...parseJson(text, isFaults, 'the record of a service')];
    } catch {
      return [];
    }
  });
}

/** The processes of all services running on this output: `start` and `serve`. */
export function runningServices(out: string): number[] {
  try {
    return readdirSync(folderIn(out))
      .filter(isAlive)
      .map((name) => Number(basename(name, '.json')));
  } catch {
    return [];
  }
}

/** Whether the process in a file's name is running. */
function isAlive(name: string): boolean {
  const pid = Number(basename(name, '.json'));
  return /^\d+\.json$/.test(name) && pid !== 0 && isProcessAlive(pid);
}

function folderIn(out: string): string {
  return join(out, 'state', 'faults');
}
