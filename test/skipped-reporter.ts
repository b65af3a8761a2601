import type { Reporter, TestModule } from 'vitest/node';

/** Prints at the end of a run how many tests were skipped, by what the machine lacks, and what to install. */
export class SkippedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = new Map<string, string[]>();
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const result = test.result();
        // A filter by name leaves tests out too; these are no concern of this list.
        if (test.options.mode === 'run' && result.state !== 'skipped') continue;
        const note = result.state === 'skipped' ? result.note : undefined;
        const lacking = [...new Set(module.meta().lacks)].join(', or ');
        const reason = note ?? (lacking === '' ? 'no reason given' : `without ${lacking}`);
        files.set(reason, [...(files.get(reason) ?? []), module.relativeModuleId]);
      }
    }
    if (files.size === 0) return;
    console.log('Skipped tests:');
    for (const [reason, of] of files) console.log(`  ${of.length} ${reason}: ${[...new Set(of)].join(', ')}`);
  }
}
