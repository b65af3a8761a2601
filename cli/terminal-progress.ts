import { Presets, SingleBar } from 'cli-progress';
import type { Progress } from '../common/progress.ts';
import { count } from './terminal.ts';

/** Progress of a build on standard error: a bar on a terminal, else a line for each step with work. */
export function terminalProgress(): Progress {
  return process.stderr.isTTY ? barProgress() : lineProgress();
}

function barProgress(): Progress {
  let bar: SingleBar | undefined;
  return {
    begin(step, total) {
      if (total < 2) return;
      bar = new SingleBar(
        {
          format: `  ${step.padEnd(12)} {bar} {value}/{total}  {eta_formatted} left`,
          hideCursor: true,
          etaBuffer: 2000, // A few items are no good estimate for the rest.
          clearOnComplete: true,
        },
        Presets.shades_classic,
      );
      bar.start(total, 0);
    },
    advance: (pieces) => bar?.increment(pieces),
    end() {
      bar?.stop();
      bar = undefined;
    },
  };
}

function lineProgress(): Progress {
  let step = '';
  let total = 0;
  return {
    begin(name, pieces) {
      step = name;
      total = pieces;
    },
    advance: () => undefined,
    end() {
      process.stderr.write(total > 1 ? `${step}: ${count(total)}\n` : `${step}\n`);
    },
  };
}
