/**
 * Loaded with `node --import`: `node:fs` follows the rules of Windows, below the temporary folder. Where Windows and its
 * versions differ, the stricter rule applies. SQLite opens its files without Node, but its open files count. Sources: libuv,
 * src/win/fs.c (open, unlink, rename) and src/win/error.c (codes); Microsoft, "Naming files" and MoveFileEx; SQLite, os_win.c.
 *
 *   fsync     EPERM for a folder, and for a file that was opened to be read
 *   rename    EPERM onto an open or read-only file or a folder, and of a folder with open files in it; EBUSY of a file that
 *             SQLite has open
 *   unlink    EBUSY for a file that SQLite has open; libuv deletes others as on Unix, which NTFS can since Windows 10
 *   open      EPERM to write to a read-only file; no O_NOFOLLOW, no O_DIRECTORY
 *   names     one file for all cases of its letters; ENOENT for reserved names and characters
 *   system    no /proc, no /etc/passwd, no user ids, no process groups; SIGTERM and SIGHUP end a process at once
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { constants, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fs.realpathSync(tmpdir());
const real = { ...fs };
const realPromises = { ...fs.promises };
const { O_ACCMODE = 3, O_DIRECTORY, O_NOFOLLOW } = fs.constants;

const RESERVED = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?:\.|$)|[<>:"|?*\\\u0000-\u001f]|[. ]$/i;
const OF_UNIX = /^\/(?:proc|etc\/passwd|dev\/(?:stdin|fd))(?:\/|$)/;

/** Files that Node has open, by descriptor: whether they were opened to be written. */
const opened = new Map();
/** Files that Node reads or writes in the background, with how often. */
const busy = new Map();

function refuse(code, syscall, path, dest) {
  const to = dest === undefined ? '' : ` -> '${dest}'`;
  const error = new Error(`${code}: refused as on Windows, ${syscall} '${path}'${to}`);
  return Object.assign(error, {
    ...{ errno: -constants.errno[code], code, syscall, path },
    ...(dest === undefined ? {} : { dest }),
  });
}

/** An argument as an absolute path below the temporary folder; null: another one, where no rule holds. */
function placeOf(path) {
  if (typeof path === 'number') return null;
  const absolute = resolve(path instanceof URL ? fileURLToPath(path) : String(path));
  return absolute.startsWith(`${ROOT}/`) ? absolute : null;
}

/** The path with the letters that the existing file has. */
function inCase(path) {
  if (path === ROOT || exists(path)) return path;
  const folder = inCase(dirname(path));
  const name = basename(path);
  try {
    const same = real.readdirSync(folder).find((one) => one.toLowerCase() === name.toLowerCase());
    return join(folder, same ?? name);
  } catch {
    return join(folder, name);
  }
}

function exists(path) {
  try {
    return real.lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** @returns the argument to use in its place */
function checked(syscall, path) {
  if (typeof path === 'string' && OF_UNIX.test(path)) throw refuse('ENOENT', syscall, path);
  const place = placeOf(path);
  if (place === null) return path;
  for (const name of place.slice(ROOT.length + 1).split('/'))
    if (RESERVED.test(name)) throw refuse('ENOENT', syscall, place);
  const found = inCase(place);
  return found === place ? path : found;
}

/**
 * The files that this process has open at a path or below it: `isShared` is false for those of SQLite, which nobody can
 * delete or rename.
 */
function openFiles(place) {
  return real.readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      const path = real.readlinkSync(`/proc/self/fd/${name}`);
      if (path !== place && !path.startsWith(`${place}/`)) return [];
      return [{ path, isShared: opened.has(Number(name)) || !isSqlite(path) }];
    } catch {
      return []; // Closed meanwhile.
    }
  });
}

function isSqlite(path) {
  if (/-(?:wal|shm|journal)$/.test(path)) return true;
  try {
    const file = real.openSync(path);
    try {
      const head = Buffer.alloc(15);
      real.readSync(file, head);
      return head.toString() === 'SQLite format 3';
    } finally {
      real.closeSync(file);
    }
  } catch {
    return false; // Deleted, or not a file.
  }
}

function isOpen(path) {
  return busy.has(path) || openFiles(path).some((file) => file.path === path);
}

function checkRename(from, to) {
  const [source, target] = [placeOf(from), placeOf(to)];
  if (source === null || target === null || !exists(source)) return;
  const refused = (code) => refuse(code, 'rename', source, target);
  const files = openFiles(source);
  if (files.some(({ path, isShared }) => path === source && !isShared)) throw refused('EBUSY');
  if (real.lstatSync(source).isDirectory()) {
    const isBelow = (path) => path.startsWith(`${source}/`);
    if (files.some(({ path }) => isBelow(path)) || [...busy.keys()].some(isBelow)) throw refused('EPERM');
  }
  const there = real.lstatSync(target, { throwIfNoEntry: false });
  if (there === undefined || source === target) return;
  if (there.isDirectory() || (there.mode & 0o200) === 0 || isOpen(target)) throw refused('EPERM');
}

function checkUnlink(path) {
  const place = placeOf(path);
  if (place !== null && openFiles(place).some(({ isShared }) => !isShared))
    throw refuse('EBUSY', 'unlink', place);
}

function checkFlush(file) {
  if (opened.get(file) === false) throw refuse('EPERM', 'fsync', String(file));
}

function isFile(path) {
  return real.lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function isForWriting(flags) {
  if (flags === undefined || flags === null) return false;
  return typeof flags === 'number' ? (flags & O_ACCMODE) !== 0 : !/^r[s]?$|^sr$/.test(flags);
}

/** Checks before a call, which may return other arguments. */
const RULES = {
  open([path, flags, ...more]) {
    const place = placeOf(path);
    if (place !== null && isForWriting(flags) && isFile(place) && (real.statSync(place).mode & 0o200) === 0)
      throw refuse('EPERM', 'open', place);
    return [path, typeof flags === 'number' ? flags & ~(O_DIRECTORY | O_NOFOLLOW) : flags, ...more];
  },
  close: ([file]) => void opened.delete(file),
  rename: ([from, to]) => checkRename(from, to),
  unlink: ([path]) => checkUnlink(path),
  rm: ([path]) => checkUnlink(path),
  fsync: ([file]) => checkFlush(file),
  fdatasync: ([file]) => checkFlush(file),
};

/** Calls with paths, and those with two. */
const PATHS = new Set(
  (
    'access appendFile chmod copyFile cp exists link lstat mkdir mkdtemp open opendir readFile readdir readlink ' +
    'realpath rename rm rmdir stat statfs truncate unlink utimes writeFile'
  ).split(' '),
);
const TWO_PATHS = new Set(['copyFile', 'cp', 'link', 'rename']);

/** The arguments of a call by the rules. */
function ruled(name, args) {
  const next = args.map((arg, i) =>
    PATHS.has(name) && (i === 0 || (i === 1 && TWO_PATHS.has(name))) ? checked(name, arg) : arg,
  );
  return RULES[name]?.(next) ?? next;
}

/** Counts the files that a call in the background has open. */
function using(name, args) {
  const isUsing = /^(?:readFile|writeFile|appendFile|copyFile)$/.test(name);
  const used = isUsing
    ? args.slice(0, TWO_PATHS.has(name) ? 2 : 1).flatMap((path) => placeOf(path) ?? [])
    : [];
  for (const path of used) busy.set(path, (busy.get(path) ?? 0) + 1);
  return () => {
    for (const path of used) {
      const left = (busy.get(path) ?? 1) - 1;
      if (left === 0) busy.delete(path);
      else busy.set(path, left);
    }
  };
}

/** Remembers an opened file. */
function noted(name, flags, file) {
  if (name === 'open' && typeof file === 'number') opened.set(file, isForWriting(flags));
  return file;
}

function asSync(name, call) {
  return (...args) => {
    let next;
    try {
      next = ruled(name, args);
    } catch (error) {
      if (name === 'exists') return false;
      if (error.code === 'ENOENT' && (args[1]?.throwIfNoEntry === false || args[1]?.force === true))
        return undefined;
      throw error;
    }
    return noted(name, args[1], call.apply(fs, next));
  };
}

function asCallback(name, call) {
  return (...args) => {
    const at = args.findLastIndex((one) => typeof one === 'function');
    const done = args[at];
    let next;
    try {
      next = ruled(name, args.slice(0, at));
    } catch (error) {
      return process.nextTick(done, name === 'exists' ? false : error);
    }
    const end = using(name, next);
    call.call(fs, ...next, (...results) => {
      noted(name, args[1], results[1]);
      end();
      done(...results);
    });
  };
}

function asPromise(name, call) {
  return async (...args) => {
    const next = ruled(name, args);
    const end = using(name, next);
    try {
      const result = await call.apply(fs.promises, next);
      return name === 'open' ? handleOf(result, args[1]) : result;
    } finally {
      end();
    }
  };
}

/** @param handle of `fs.promises.open` */
function handleOf(handle, flags) {
  const { fd } = handle;
  opened.set(fd, isForWriting(flags));
  const close = handle.close.bind(handle);
  handle.close = () => {
    opened.delete(fd);
    return close();
  };
  for (const name of ['sync', 'datasync']) {
    const flush = handle[name].bind(handle);
    handle[name] = async () => {
      checkFlush(fd);
      return flush();
    };
  }
  return handle;
}

for (const name of new Set([...PATHS, ...Object.keys(RULES)])) {
  const put = (home, key, wrap, call) => {
    if (call) home[key] = Object.defineProperties(wrap(name, call), ownProperties(call));
  };
  put(fs, `${name}Sync`, asSync, real[`${name}Sync`]);
  put(fs, name, asCallback, real[name]);
  put(fs.promises, name, asPromise, realPromises[name]);
}
syncBuiltinESMExports();

/** `realpath.native`, and what `promisify` gives for `exists`. */
function ownProperties(call) {
  const { length: _, name: __, prototype: ___, ...others } = Object.getOwnPropertyDescriptors(call);
  return others;
}

for (const name of ['getuid', 'geteuid', 'getgid', 'getegid', 'getgroups']) delete process[name];
const kill = process.kill.bind(process);
process.kill = (pid, signal) => {
  if (pid < 0) throw refuse('ESRCH', 'kill', String(pid));
  return kill(pid, signal);
};
for (const name of ['on', 'once', 'addListener']) {
  const listen = process[name].bind(process);
  process[name] = (event, listener) => (/^SIG(?:TERM|HUP)$/.test(event) ? process : listen(event, listener));
}
