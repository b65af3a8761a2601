/** Builds of `start`: the first one, and those that follow changes. */
import { isBuildDue } from '../../build/build.ts';
import { type BuildReport, isBuildReport } from '../../build/build-report.ts';
import { OtherBlog, SnapshotHeld } from '../../build/errors.ts';
import { buildOutput } from '../../build/output/build-output.ts';
import { readPointer } from '../../build/output/pointer-file.ts';
import { SILENT } from '../../common/progress.ts';
import { unfinishedSince } from '../../data/accounts/key-files.ts';
import { runInChild } from '../child-command.ts';
import { colours } from '../colours.ts';
import { describeBuild } from '../describe-build.ts';
import { describeFailure } from '../failure.ts';
import type { Log } from '../log.ts';
import { buildOptions, type StartFlags } from '../options.ts';
import { printable } from '../printable.ts';
import { readConfig } from '../settings.ts';
import { startProgress } from './first-content.ts';
import type { Job, JobContext } from './jobs.ts';

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

/** Builds when the database, the configuration or the clock asks for it. @param built called after each build */
export function rebuild({ options, service, stopping }: JobContext, built: () => void): Job {
  return {
    kind: 'build',
    fault: 'the build',
    label: 'not published:',
    // Read the configuration again, as the build does: its changes must be published. A build also finishes changes of keys.
    isDue: () =>
      unfinishedSince(options.out) !== undefined ||
      isBuildDue(buildOptions({ ...options, settings: readConfig(options.config) }, SILENT)),
    async run() {
      const { db, out, config } = options;
      const build = ['build', '--no-import'];
      logBuild(service.log, await runInChild(build, { db, out, config }, isBuildReport, stopping));
      await service.gateway.refresh();
      built();
    },
  };
}

function logBuild(log: Log, report: BuildReport): void {
  log.info(describeBuild(report));
  for (const note of report.notes) log.info(`${colours.yellow('note:')} ${printable(note)}`);
}
