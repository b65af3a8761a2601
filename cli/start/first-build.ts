import { OtherBlog, SnapshotHeld } from '../../build/errors.ts';
import { buildOutput } from '../../build/output/build-output.ts';
import { readPointer } from '../../build/output/pointer-file.ts';
import { colours } from '../colours.ts';
import { logBuild } from '../commands/build.ts';
import { describeFailure } from '../failure.ts';
import type { Log } from '../log.ts';
import { buildOptions, type StartFlags } from '../options.ts';
import { startProgress } from './first-content.ts';

/**
 * Builds in this process, since nothing is served yet. If that fails, the last published snapshot is served.
 *
 * @param force replaces another blog, as the first import replaces the sample
 */
export async function firstBuild(options: StartFlags, log: Log, force: boolean): Promise<void> {
  try {
    const building = buildOptions({ ...options, force }, startProgress(log));
    logBuild(log, await buildOutput(building));
  } catch (error) {
    if (!readPointer(options.out) || error instanceof OtherBlog) throw error;
    const kind = error instanceof SnapshotHeld ? colours.yellow('held:') : colours.red('not published:');
    log.fault(`${kind} ${describeFailure(error)} Still serving the last published snapshot.`);
  }
}
