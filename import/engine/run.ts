import { spawn, spawnSync } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { EngineFailed, EngineTooSlow } from '../errors.ts';
import { toSpawnCommand } from './program.ts';

/** A program and its first arguments: `['bundle', 'exec', 'jekyll']`. */
export type Program = readonly [command: string, ...args: string[]];

export interface Run {
  readonly program: Program;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Added to what engines see of this process's variables. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Ends the engine; default: after half an hour. */
  readonly limit?: AbortSignal;
}

/** How many characters of an engine's output are kept, from its end. */
const KEPT = 20_000;
/** The largest sites take some minutes. A hanging engine would block all later imports. */
const LIMIT_MS = 1_800_000;

/**
 * Runs an engine until it ends. At the limit, and on a signal to this process, kills it with everything that it started.
 *
 * @returns its standard output
 * @throws EngineFailed, EngineTooSlow with its output
 */
export async function runEngine({
  program: [command, ...before],
  args,
  cwd,
  environment,
  limit = AbortSignal.timeout(LIMIT_MS),
}: Run): Promise<string> {
  const name = [command, ...before].join(' ');
  const { command: started, args: all, ...how } = toSpawnCommand(command, [...before, ...args]);
  // First, so that no signal can come between.
  let leader: number | undefined;
  const kill = (): void => killGroup(leader);
  const interrupt = (signal: NodeJS.Signals): void => {
    kill();
    // Without another listener, the signal ends this process.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, interrupt);
  process.once('exit', kill);
  const child = spawn(started, all, {
    ...how,
    cwd,
    env: { ...engineEnvironment(process.env), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // The leader of a process group, so that its child processes end with it.
    windowsHide: true,
  });
  leader = child.pid;
  let stdout = '';
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    printed = (printed + text).slice(-KEPT);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed = (printed + text).slice(-KEPT);
  });
  limit.addEventListener('abort', kill);
  try {
    const code = await new Promise<number | null>((end, reject) => {
      child.once('error', ({ message }) => reject(new EngineFailed(name, null, message)));
      child.once('close', end);
    });
    if (limit.aborted) throw new EngineTooSlow(name, LIMIT_MS, complaintIn(printed));
    if (code !== 0) throw new EngineFailed(name, code, complaintIn(printed));
    return stdout;
  } finally {
    for (const signal of signals) process.off(signal, interrupt);
    process.off('exit', kill);
    limit.removeEventListener('abort', kill);
  }
}

/** Windows has no groups, but knows the parent of each process. */
function killGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(leader), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
    return;
  }
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // It ended meanwhile.
  }
}

/** A line of a Ruby trace that only has a location: `from /usr/lib/ruby/a.rb:12:in 'block in run'`. */
const FRAME = /^\s*(?:from )?\S.*:\d+:in [`'][^`']*'\s*$|^\s*\.\.\. \d+ levels\.\.\.\s*$/;
/** Longer lines are not frames and would be slow to test. */
const MAX_FRAME = 1_000;

/** An engine's output without colours and locations of a Ruby trace: the lines that say what is wrong. */
export function complaintIn(printed: string): string {
  return stripVTControlCharacters(printed)
    .split(/\r\n|\r|\n/)
    .filter((line) => line.length > MAX_FRAME || !FRAME.test(line))
    .join('\n')
    .trim();
}

/** The variables of this process that engines see, in any case, since Windows has `Path`. */
const ALLOWED: readonly RegExp[] = [
  // Systems.
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|TERM|CI|TZ|TZDIR|TMPDIR|TMP|TEMP|XDG_\w+_(?:HOME|DIRS?))$/i,
  /^(?:LANG|LANGUAGE|LC_\w+|LOCALE_ARCHIVE|(?:LD|DYLD(?:_FALLBACK)?)_LIBRARY_PATH)$/i,
  /^(?:SystemRoot|SystemDrive|windir|ComSpec|PATHEXT|OS|PROCESSOR_ARCHITECTURE|NUMBER_OF_PROCESSORS)$/i,
  /^(?:(?:LOCAL)?APPDATA|(?:Common)?Program(?:Data|Files|W6432)(?:\(x86\))?)$/i,
  /^(?:USERPROFILE|USERNAME|HOMEDRIVE|HOMEPATH)$/i,
  // Downloads. A proxy keeps its password: it is meant for all programs, and nothing could be downloaded without it.
  /^(?:(?:https?|ftp|all|no)_proxy|(?:NIX_)?SSL_CERT_(?:FILE|DIR))$/i,
  // Ruby, and managers of its versions.
  /^(?:RUBY(?:LIB|OPT|_\w+)|GEM_(?:HOME|PATH|ROOT|SPEC_CACHE))$/i,
  /^(?:RBENV|ASDF|RVM|MISE)_(?:ROOT|PATH|DIR|DATA_DIR|VERSION)$/i,
  // Hugo's modules and pipes, much as in Hugo's own list (`security.exec.osEnv`).
  /^GO(?:PATH|ROOT|ENV|PROXY|PRIVATE|NOPROXY|SUMDB|NOSUMDB|INSECURE|VCS|AUTH|FLAGS|CACHE|MODCACHE|TOOLCHAIN)$/i,
  /^(?:GO111MODULE|SSH_AUTH_SOCK|NODE_(?:PATH|ENV|OPTIONS|EXTRA_CA_CERTS))$/i,
  // What is set for an engine, even if it is a password.
  /^(?:BUNDLER?_\w+|JEKYLL_\w+|PAGES_(?:ENV|REPO_NWO)|HUGO\w*)$/i,
];

/** A site's programs run other people's code, which must not see the passwords and keys of other programs. */
export function engineEnvironment(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(variables).filter(([name]) => ALLOWED.some((allowed) => allowed.test(name))),
  );
}
