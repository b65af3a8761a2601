import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { complaintIn } from '../../import/engine/complaint.ts';
import { engineEnvironment } from '../../import/engine/environment.ts';
import { runEngine } from '../../import/engine/run.ts';
import { makeWorkspace, type Workspace } from '../../import/engine/workspace.ts';
import { EngineTooSlow } from '../../import/errors.ts';

describe('the error output of an engine', () => {
  it('is shown without colours and Ruby stack traces', () => {
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
});

describe('the environment of an engine', () => {
  const seen = (...names: readonly string[]) =>
    Object.keys(engineEnvironment(Object.fromEntries(names.map((name) => [name, 'x']))));

  it('has what it needs on every system, and what is meant for it', () => {
    const names = [
      'PATH',
      'Path',
      'SystemRoot',
      'ProgramFiles(x86)',
      'PATHEXT',
      'LC_ALL',
      'https_proxy',
      'NO_PROXY',
    ];
    const own = [
      'RUBYLIB',
      'GEM_HOME',
      'BUNDLE_GITHUB__COM',
      'JEKYLL_ENV',
      'HUGO_BASEURL',
      'HUGOxPARAMSxA',
      'GOPROXY',
    ];
    expect(seen(...names, ...own)).toEqual([...names, ...own]);
  });

  it('has nothing else, also if its name begins alike', () => {
    const names = [
      'GOOGLE_APPLICATION_CREDENTIALS',
      'GEM_HOST_API_KEY',
      'NODE_AUTH_TOKEN',
      'MY_PATH',
      'PATH_TO_KEY',
    ];
    expect(seen(...names, 'PGPASSWORD', 'ADDRESS_SECRET', 'GITHUB_TOKEN', 'OFFPRINT_ADMIN_TOKEN')).toEqual(
      [],
    );
  });
});

/** `waitUntil` has a limit of its own; that of the test ends what hangs. */
const FOREVER_MS = 600_000;

describe('an engine that hangs', () => {
  it('is killed with its child processes, and the message has its output', async () => {
    const workspace = await makeWorkspace();
    onTestFinished(() => workspace.remove());
    const file = join(workspace.folder, 'pid');
    const script = `sleep 600 & echo $! > ${file}; echo '\u001b[31mwaiting\u001b[0m'; wait`;
    const limit = new AbortController();
    const untilItPrints: Workspace = {
      ...workspace,
      start: (program, receive) =>
        workspace.start(program, (event) => {
          receive(event);
          if ('text' in event) limit.abort();
        }),
    };
    const running = runEngine({
      ...{ program: ['/bin/sh'], args: ['-c', script], cwd: workspace.folder, workspace: untilItPrints },
      limit: limit.signal,
    });
    const failure = await running.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(EngineTooSlow);
    expect(failure).toMatchObject({
      message: expect.stringMatching(/^\/bin\/sh was stopped after 30 minutes, so nothing was written\./),
      output: 'waiting',
    });
    expect(existsSync(file)).toBe(true);
    await vi.waitUntil(() => !isRunning(Number(readFileSync(file, 'utf8'))), { timeout: FOREVER_MS });
  });
});

test('a workspace that is removed while its programs print leaves nothing', async () => {
  for (let time = 0; time < 10; time++) {
    const workspace = await makeWorkspace();
    const printed = Promise.withResolvers<void>();
    workspace.start({ command: '/bin/sh', args: ['-c', 'yes'], cwd: workspace.folder, env: {} }, (event) => {
      if ('text' in event) printed.resolve();
    });
    await printed.promise;
    await workspace.remove();
    expect(existsSync(workspace.folder)).toBe(false);
  }
});

/** A zombie that nobody waits for counts as ended. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
