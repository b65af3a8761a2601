import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { complaintIn } from '../../import/engine/complaint.ts';
import { runEngine } from '../../import/engine/run.ts';
import { makeWorkspace } from '../../import/engine/workspace.ts';
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

describe('an engine that hangs', () => {
  it('is killed with its child processes, and the message has its output', async () => {
    const workspace = await makeWorkspace();
    onTestFinished(() => workspace.remove());
    const file = join(workspace.folder, 'pid');
    const script = `echo '\u001b[31mwaiting\u001b[0m'; sleep 600 & echo $! > ${file}; wait`;
    const running = runEngine({
      ...{ program: ['/bin/sh'], args: ['-c', script], cwd: workspace.folder, workspace },
      limitMs: 5_000,
    });
    const failure = await running.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(EngineTooSlow);
    expect(failure).toMatchObject({
      message: expect.stringMatching(/^\/bin\/sh was stopped after 1 minute, so nothing was written\./),
      output: 'waiting',
    });
    expect(existsSync(file)).toBe(true);
    await vi.waitUntil(() => !isRunning(Number(readFileSync(file, 'utf8'))), { timeout: 60_000 });
  });
});

/** A zombie that nobody waits for counts as ended. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
