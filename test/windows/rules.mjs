/**
 * Loaded with `node --import`: `node:fs` follows the rules of Windows below the temporary folder. Where Windows and its
 * versions differ, the stricter rule applies. Sources: libuv, src/win/fs.c (open, unlink, rename) and src/win/error.c (codes);
 * Microsoft, "Naming files" and MoveFileEx; SQLite, os_win.c.
 *
 *   fsync     EPERM for a folder, and for a file that was opened to be read
 *   rename    EPERM onto an open or read-only file or a folder, and of a folder with open files in it; EBUSY of a file that
 *             SQLite has open
 *   unlink    EBUSY for a file that SQLite has open; libuv deletes others as on Unix, which NTFS can since Windows 10
 *   open      EPERM to write to a read-only file; no O_NOFOLLOW, no O_DIRECTORY
 *   names     ENOENT for reserved names and characters
 *   system    no /proc, no /etc/passwd, no user ids, no process groups; SIGTERM and SIGHUP end a process at once
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { constants, tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fs.realpathSync(tmpdir());
const real = { ...fs };
const realPromises = { ...fs.promises };
const { O_ACCMODE = 3, O_DIRECTORY, O_NOFOLLOW } = fs.constants;

const RESERVED = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?:\.|$)|[<>:"|?*\\\u0000-\u001f]|[. ]$/i;
const OF_UNIX = /^\/(?:proc|etc\/passwd|dev\/(?:stdin|fd))(?:\/|$)/;

/** @returns never */
function refuse(code, syscall, path) {
  const error = new Error(`${code}: refused as on Windows, ${syscall} '${path}'`);
  throw Object.assign(error, { errno: -constants.errno[code], code, syscall, path });
}

/** An argument as an absolute path below the temporary folder; null: another one, where no rule holds. */
function ruledPath(path) {
  const absolute = resolve(path instanceof URL ? fileURLToPath(path) : String(path));
  return typeof path !== 'number' && absolute.startsWith(`${ROOT}/`) ? absolute : null;
}

/** Files that this process has open at a path or below it. */
function openFiles(place) {
  return real.readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      const path = real.readlinkSync(`/proc/self/fd/${name}`);
      return path === place || path.startsWith(`${place}/`) ? [path] : [];
    } catch {
      return []; // Closed meanwhile.
    }
  });
}

/** Files that nobody can delete or rename while they are open. */
function isSqlite(path) {
  if (/-(?:wal|shm|journal)$/.test(path)) return true;
  try {
    return real.readFileSync(path).subarray(0, 15).toString() === 'SQLite format 3';
  } catch {
    return false; // Deleted, or not a file.
  }
}

const stat = (path) => real.lstatSync(path, { throwIfNoEntry: false });
const isReadOnly = (file) => (file.mode & 0o200) === 0;

function checkRename([from, to]) {
  const [source, target] = [ruledPath(from), ruledPath(to)];
  const moved = source !== null && target !== null && source !== target && stat(source);
  if (!moved) return;
  const open = openFiles(source);
  if (moved.isDirectory() ? open.some((path) => path !== source) : open.some(isSqlite))
    refuse(moved.isDirectory() ? 'EPERM' : 'EBUSY', 'rename', source);
  const there = stat(target);
  if (there && (there.isDirectory() || isReadOnly(there) || openFiles(target).length > 0))
    refuse('EPERM', 'rename', target);
}

function checkUnlink([path]) {
  const place = ruledPath(path);
  if (place !== null && openFiles(place).some(isSqlite)) refuse('EBUSY', 'unlink', place);
}

function checkFlush([file]) {
  const [, flags] = /flags:\s*(\d+)/.exec(real.readFileSync(`/proc/self/fdinfo/${file}`, 'utf8')) ?? [];
  const isBelow = real.readlinkSync(`/proc/self/fd/${file}`).startsWith(`${ROOT}/`);
  if (isBelow && (parseInt(flags, 8) & O_ACCMODE) === 0) refuse('EPERM', 'fsync', String(file));
}

function checkOpen([path, flags = 'r']) {
  const place = ruledPath(path);
  const isWritten = typeof flags === 'number' ? (flags & O_ACCMODE) !== 0 : !/^(?:r|rs|sr)$/.test(flags);
  const file = place !== null && isWritten && stat(place);
  if (file && file.isFile() && isReadOnly(file)) refuse('EPERM', 'open', place);
}

const CHECKS = {
  open: checkOpen,
  rename: checkRename,
  unlink: checkUnlink,
  rm: checkUnlink,
  fsync: checkFlush,
  fdatasync: checkFlush,
};
/** Calls with a path; `rename` and others have two. */
const PATHS =
  'access appendFile chmod copyFile cp exists link lstat mkdir mkdtemp open opendir readFile readdir readlink realpath rename rm rmdir stat statfs truncate unlink utimes writeFile';

/** Checks a call by the rules. @returns its arguments */
function ruled(name, args) {
  for (const path of ['copyFile', 'cp', 'link', 'rename'].includes(name)
    ? args.slice(0, 2)
    : args.slice(0, 1)) {
    if (typeof path === 'string' && OF_UNIX.test(path)) refuse('ENOENT', name, path);
    const names =
      ruledPath(path)
        ?.slice(ROOT.length + 1)
        .split('/') ?? [];
    if (names.some((one) => RESERVED.test(one))) refuse('ENOENT', name, String(path));
  }
  CHECKS[name]?.(args);
  const [path, flags, ...more] = args;
  return name === 'open' && typeof flags === 'number'
    ? [path, flags & ~(O_DIRECTORY | O_NOFOLLOW), ...more]
    : args;
}

const asSync =
  (name, call) =>
  (...args) => {
    try {
      return call.apply(fs, ruled(name, args));
    } catch (error) {
      if (!error.message.includes('as on Windows') || error.code !== 'ENOENT') throw error;
      if (name === 'exists') return false;
      if (args[1]?.throwIfNoEntry === false || args[1]?.force === true) return undefined;
      throw error;
    }
  };
const asCallback =
  (name, call) =>
  (...args) => {
    try {
      return call.apply(fs, ruled(name, args));
    } catch (error) {
      return process.nextTick(args.at(-1), name === 'exists' ? false : error);
    }
  };
const asPromise =
  (name, call) =>
  async (...args) => {
    const result = await call.apply(fs.promises, ruled(name, args));
    if (name !== 'open') return result;
    for (const flush of ['sync', 'datasync']) {
      const flushed = result[flush].bind(result);
      result[flush] = async () => {
        checkFlush([result.fd]);
        return flushed();
      };
    }
    return result;
  };

for (const name of new Set([...PATHS.split(' '), ...Object.keys(CHECKS)])) {
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
process.kill = (pid, signal) => (pid < 0 ? refuse('ESRCH', 'kill', String(pid)) : kill(pid, signal));
for (const name of ['on', 'once', 'addListener']) {
  const listen = process[name].bind(process);
  process[name] = (event, listener) => (/^SIG(?:TERM|HUP)$/.test(event) ? process : listen(event, listener));
}
