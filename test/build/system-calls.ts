import { spawnSync } from 'node:child_process';
import { dirname, resolve } from 'node:path';

/** Options of strace(1) for a trace in `file` that `faultsOfOrder` can read. */
export function tracing(file: string): string[] {
  const calls = 'openat,open,creat,mkdir,mkdirat,rename,renameat,renameat2,fsync,fdatasync,syncfs,sync';
  return ['strace', '-f', '-y', '-s', '4096', '-e', `trace=${calls}`, '-e', 'signal=none', '-o', file];
}

/** Whether processes can be traced here. */
export const CAN_TRACE = spawnSync('strace', ['-f', 'true']).status === 0;

/**
 * Replays a trace on a simulated disk that keeps only flushed data, and reports where a power failure would leave a
 * name without its content: an object written in place, a file renamed before its content is durable, or a pointer
 * switched before the names of its objects are durable.
 *
 * @param trace by strace, of a process that ran in `cwd`
 * @param out the output folder
 */
export function faultsOfOrder(trace: string, cwd: string, out: string): string[] {
  const objects = `${out}/objects`;
  const pointer = `${out}/snapshot.json`;
  const isInside = (folder: string, path: string) => path === folder || path.startsWith(`${folder}/`);
  const faults: string[] = [];
  /** Files whose content, and files and folders whose names, are not flushed yet. */
  let contents = new Set<string>();
  let names = new Set<string>();
  const interrupted = new Map<string, string>();

  function flush(call: string): void {
    if (call.startsWith('sync')) {
      contents.clear();
      names.clear();
      return;
    }
    const path = /<([^>]+)>/.exec(call)?.[1] ?? '';
    contents.delete(path);
    for (const name of names) if (dirname(name) === path) names.delete(name);
  }

  function rename(from: string, to: string): void {
    const unflushed = [...contents].filter((path) => isInside(from, path));
    if ((isInside(objects, to) || to === pointer) && unflushed.length > 0)
      faults.push(`${to} is put in place before ${unflushed[0]} is flushed`);
    const late = [...names].filter((path) => isInside(objects, path));
    if (to === pointer && late.length > 0)
      faults.push(`the pointer is switched before the name ${late[0]} is flushed`);
    const moved = (path: string) => (isInside(from, path) ? to + path.slice(from.length) : path);
    contents = new Set([...contents].map(moved));
    names = new Set([...names].map(moved));
    names.add(to);
  }

  for (const line of trace.split('\n')) {
    const [, pid = '', call = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const paths = [...call.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, path = '']) => resolve(cwd, path));
    const [first = '', second = ''] = paths;
    if (/^(?:fsync|fdatasync|syncfs|sync)\(/.test(call)) {
      if (call.includes('<unfinished')) interrupted.set(pid, call);
      else flush(call);
    } else if (/^<\.\.\. (?:fsync|fdatasync|syncfs|sync) resumed>/.test(call)) {
      flush(interrupted.get(pid) ?? '');
    } else if (/^mkdir/.test(call) && !call.includes('EEXIST')) {
      names.add(first);
    } else if (/^rename/.test(call)) {
      rename(first, second);
    } else if (/^(?:openat|open|creat)\(/.test(call) && /O_WRONLY|O_RDWR|^creat/.test(call)) {
      if (isInside(objects, first) || first === pointer) faults.push(`${first} is written in place`);
      contents.add(first);
      names.add(first);
    }
  }
  if (names.has(pointer) || contents.has(pointer)) faults.push('the pointer is not flushed at the end');
  return faults;
}
