import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { complaintIn, engineEnvironment, runEngine } from '../../import/engine/run.ts';
import { EngineTooSlow } from '../../import/errors.ts';
import { folderOf } from './folder.ts';

it('the error output of an engine is shown without colours and Ruby stack traces', () => {
  const printed = [
    "\u001b[31m  Liquid Exception: Could not locate 'nope.html'\u001b[0m\r",
    "/gems/jekyll/tags/include.rb:219:in `locate': no 'nope.html' in `a.md' (IOError)",
    "\tfrom /gems/liquid/block_body.rb:230:in `block (2 levels) in render'",
    "\tfrom <internal:/usr/lib/ruby/kernel_require.rb>:37:in 'Kernel#require'",
    "  /gems/bundler/cli.rb:12:in `exec'",
    '\t ... 12 levels...',
    "/gems/x.rb:1:in `read': undefined method `size' for nil:NilClass (NoMethodError)",
    '',
  ].join('\n');
  expect(complaintIn(printed).split('\n')).toEqual([
    "Liquid Exception: Could not locate 'nope.html'",
    "/gems/jekyll/tags/include.rb:219:in `locate': no 'nope.html' in `a.md' (IOError)",
    "/gems/x.rb:1:in `read': undefined method `size' for nil:NilClass (NoMethodError)",
  ]);
});

describe('the environment of an engine', () => {
  const seen = (names: string) =>
    Object.keys(engineEnvironment(Object.fromEntries(names.split(' ').map((name) => [name, 'x']))));

  it('has what it needs on every system, and what is meant for it', () => {
    const names =
      'PATH Path SystemRoot ProgramFiles(x86) PATHEXT LC_ALL https_proxy NO_PROXY RUBYLIB GEM_HOME ' +
      'BUNDLE_GITHUB__COM JEKYLL_ENV HUGO_BASEURL HUGOxPARAMSxA GOPROXY';
    expect(seen(names)).toEqual(names.split(' '));
  });

  it('has nothing else, also if its name begins alike', () => {
    const names =
      'GOOGLE_APPLICATION_CREDENTIALS GEM_HOST_API_KEY NODE_AUTH_TOKEN MY_PATH PATH_TO_KEY PGPASSWORD ' +
      'ADDRESS_SECRET GITHUB_TOKEN OFFPRINT_ADMIN_TOKEN';
    expect(seen(names)).toEqual([]);
  });
});

it('an engine that hangs is killed with its child processes, and the message has its output', async () => {
  const cwd = folderOf({});
  const file = join(cwd, 'pid');
  const script = `sleep 600 & echo '\u001b[31mwaiting\u001b[0m'; echo $! > ${file}; wait`;
  const limit = new AbortController();
  const running = runEngine({ program: ['/bin/sh'], args: ['-c', script], cwd, limit: limit.signal }).catch(
    (error: unknown) => error,
  );
  // The file exists before the number is written.
  const written = () => existsSync(file) && readFileSync(file, 'utf8');
  const pid = Number(await vi.waitUntil(() => written() || undefined, { timeout: FOREVER_MS }));
  limit.abort();
  const failure = await running;
  expect(failure).toBeInstanceOf(EngineTooSlow);
  expect(failure).toMatchObject({
    message: expect.stringMatching(/^\/bin\/sh was stopped after 30 minutes, so nothing was written\./),
    output: 'waiting',
  });
  await vi.waitUntil(() => !isRunning(pid), { timeout: FOREVER_MS });
});

/** `waitUntil` has a limit of its own; that of the test ends what hangs. */
const FOREVER_MS = 600_000;

/** A zombie that nobody waits for counts as ended. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
