/**
 * The folder of a tree. An export keeps its own files in the subfolder `.offprint/`:
 *
 *   lock          locked by a transaction, which the operating system ends when the process dies
 *   export.json   each file that an export wrote, or may have written, with the hash of its bytes
 *   staged/       new files, until all of them are durable
 *
 * If a run is killed at any time, each file of the tree is complete, and so are the links from `v1/index.json` on. The list
 * includes everything that an export may have written. The next run finishes the rest.
 */
import { existsSync, lstatSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { codeOf } from '../../common/thrown.ts';
import { ensureFolder, guardingOutput, guardingOutputUntil, replaceFile } from '../../common/output-files.ts';
import { rename } from '../../common/rename.ts';
import { FolderIsLink, inRealFolder } from '../../common/real-folder.ts';
import { isText, listOf, nullOr, oneOf, pairOf, parseJson, recordOf } from '../../contract/json.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { flushAll } from '../snapshot/staging.ts';
import { ExportListUnreadable, ExportOfOther, ExportRunning, ForeignFiles, PathTaken } from './errors.ts';

const OWN = '.offprint';
const LIST = 'export.json';
const STAGED = [OWN, 'staged'];
/** What a killed run may leave: `staged`, `export.json.UUID.tmp`. */
const LEFT = /^(?:staged|export\.json\..+\.tmp)$/;
const FORMAT = 1;

/** The hash of a file that an interrupted run may have written: its content is unknown, so it is written again. */
const UNKNOWN = '';

/** The content of `export.json`. */
interface Manifest {
  readonly format: typeof FORMAT;
  /** The blog's id; null: unknown. */
  readonly blog: string | null;
  /** Path and hash. */
  readonly files: readonly (readonly [string, string])[];
}

const isManifest = recordOf<Manifest>({
  format: oneOf([FORMAT]),
  blog: nullOr(isText),
  files: listOf(pairOf(isText, isText)),
});

/** Changes in a folder. */
export interface Placed {
  readonly written: number;
  /** Total size of the written files. */
  readonly bytes: number;
  readonly removed: number;
}

export class ExportFolder {
  readonly #folder: string;
  readonly #blog: string | null;
  readonly #lock: Database.Database;
  /** Path → hash, from the list. */
  readonly #known: ReadonlyMap<string, string>;
  /** Paths, in the order in which they are put in place. */
  readonly #staged: string[] = [];
  #bytes = 0;

  /**
   * Locks a folder, and creates it if it is missing.
   *
   * @param blog the id of the exported blog; null: unknown
   * @throws ForeignFiles, ExportOfOther, ExportRunning, ExportListUnreadable, FolderIsLink, OutputUnwritable
   */
  static open(folder: string, blog: string | null): ExportFolder {
    return guardingOutput(folder, () => {
      // Hidden files are allowed, such as the `.git` of a branch for publishing.
      const isOwn =
        isExport(folder) || !existsSync(folder) || readdirSync(folder).every((name) => name.startsWith('.'));
      if (!isOwn) throw new ForeignFiles(folder);
      ensureFolder(folder);
      inRealFolder(folder, [OWN], (own) => {
        if (lstatSync(join(own, 'lock'), { throwIfNoEntry: false })?.isSymbolicLink())
          throw new FolderIsLink(join(folder, OWN, 'lock'));
      });
      const lock = new Database(join(folder, OWN, 'lock'), { timeout: 0 });
      try {
        lock.exec('BEGIN EXCLUSIVE');
        const known = readList(folder);
        if (blog !== null && known.blog !== null && known.blog !== blog)
          throw new ExportOfOther(folder, known.blog, blog);
        return new ExportFolder(folder, blog, lock, new Map(known.files));
      } catch (error) {
        lock.close();
        if (codeOf(error)?.startsWith('SQLITE_BUSY')) throw new ExportRunning(folder);
        throw error;
      }
    });
  }

  private constructor(
    folder: string,
    blog: string | null,
    lock: Database.Database,
    known: ReadonlyMap<string, string>,
  ) {
    this.#folder = folder;
    this.#blog = blog;
    this.#lock = lock;
    this.#known = known;
    this.#clearLeft();
  }

  /** Whether the folder has this file with this content, by the list. */
  has(path: string, hash: ObjectHash): boolean {
    return this.#known.get(path) === hash && existsSync(join(this.#folder, path));
  }

  /** Writes a new file outside the tree. @throws FolderIsLink, OutputUnwritable */
  stage(path: string, content: string | Uint8Array): void {
    guardingOutput(this.#folder, () => {
      inRealFolder(this.#folder, STAGED, (staged) =>
        writeFileSync(join(staged, String(this.#staged.length)), content, { flag: 'wx', mode: 0o644 }),
      );
    });
    this.#bytes += Buffer.byteLength(content);
    this.#staged.push(path);
  }

  /**
   * Puts the staged files in place, in their order, and then removes files that are no longer in the tree.
   *
   * @param files all files of the tree, with their hashes
   * @throws PathTaken, FolderIsLink, OutputUnwritable
   */
  async place(files: ReadonlyMap<string, ObjectHash>): Promise<Placed> {
    const gone = [...this.#known.keys()].filter((path) => !files.has(path)).reverse();
    if (this.#staged.length > 0 || gone.length > 0)
      await guardingOutputUntil(this.#folder, () => this.#replace(files, gone));
    return { written: this.#staged.length, bytes: this.#bytes, removed: gone.length };
  }

  /** Releases the lock. */
  close(): void {
    try {
      this.#clearLeft();
    } finally {
      this.#lock.close();
    }
  }

  async #replace(files: ReadonlyMap<string, ObjectHash>, gone: readonly string[]): Promise<void> {
    await flushAll(
      this.#folder,
      'file',
      this.#staged.map((_, i) => join(this.#folder, ...STAGED, String(i))),
    );
    this.#writeList([...this.#known, ...this.#staged.map((path): [string, string] => [path, UNKNOWN])]);
    const folders = new Set<string>();
    inRealFolder(this.#folder, STAGED, (staged) => {
      for (const [i, path] of this.#staged.entries()) {
        this.#changeFile(path, (file) => rename(join(staged, String(i)), file));
        folders.add(dirname(join(this.#folder, path)));
      }
    });
    await flushAll(this.#folder, 'folder', [...folders]);
    for (const path of gone) this.#remove(path);
    this.#writeList(files);
  }

  /** Removes a file, and the folders that become empty. */
  #remove(path: string): void {
    this.#changeFile(path, (file) => rmSync(file, { force: true }));
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
      try {
        this.#inParent(folder, (parent) => rmdirSync(join(parent, basename(folder))));
      } catch (error) {
        if (/^(?:ENOTEMPTY|EEXIST)$/.test(codeOf(error) ?? '')) return;
        throw error;
      }
    }
  }

  #writeList(files: Iterable<readonly [string, string]>): void {
    const text = JSON.stringify({
      format: FORMAT,
      blog: this.#blog,
      files: [...new Map(files)],
    } satisfies Manifest);
    inRealFolder(this.#folder, [OWN], (own) => replaceFile(join(own, LIST), `${text}\n`));
  }

  #clearLeft(): void {
    guardingOutput(this.#folder, () =>
      inRealFolder(this.#folder, [OWN], (own) => {
        for (const name of readdirSync(own))
          if (LEFT.test(name)) rmSync(join(own, name), { recursive: true, force: true });
      }),
    );
  }

  /** Replaces or removes a file. @throws PathTaken */
  #changeFile(path: string, change: (file: string) => void): void {
    this.#inParent(path, (folder) => {
      const file = join(folder, basename(path));
      try {
        change(file);
      } catch (error) {
        if (lstatSync(file, { throwIfNoEntry: false })?.isDirectory())
          throw new PathTaken(join(this.#folder, path));
        throw error;
      }
    });
  }

  #inParent(path: string, work: (folder: string) => void): void {
    inRealFolder(this.#folder, path.split('/').slice(0, -1), work);
  }
}

/** Whether a folder has files that an export wrote. */
export function isExport(folder: string): boolean {
  return existsSync(listPath(folder));
}

function listPath(folder: string): string {
  return join(folder, OWN, LIST);
}

/** @throws ExportListUnreadable */
function readList(folder: string): Manifest {
  if (!isExport(folder)) return { format: FORMAT, blog: null, files: [] };
  try {
    const list = parseJson(readFileSync(listPath(folder), 'utf8'), isManifest, 'a list of exported files');
    if (!list.files.every(([path]) => isTreePath(path)))
      throw new SyntaxError('has a path outside of the tree');
    return list;
  } catch (error) {
    if (error instanceof SyntaxError) throw new ExportListUnreadable(listPath(folder));
    throw error;
  }
}

/** Files in the list may be removed, and the folder may be from someone else: no path may lead out of it. */
function isTreePath(path: string): boolean {
  return path === '.nojekyll' || path.split('/').every((part) => /^[\w~-][\w.~-]*$/.test(part));
}
