import { Presets, SingleBar } from 'cli-progress';
import { type Progress, SILENT } from '../common/progress.ts';

/** Progress on standard error, as a bar. Without a terminal there is none: the command's report is enough. */
export function terminalProgress(): Progress {
  if (!process.stderr.isTTY) return SILENT;
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
