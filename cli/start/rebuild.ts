import { isBuildDue } from '../../build/build.ts';
import { SILENT } from '../../common/progress.ts';
import { unfinishedSince } from '../../data/accounts/key-files.ts';
import { buildInChild } from '../child-command.ts';
import { logBuild } from '../commands/build.ts';
import { buildOptions } from '../options.ts';
import { readConfig } from '../settings.ts';
import type { Job, JobContext } from './jobs.ts';

/** Builds when the database, the configuration or the clock asks for it. @param built called after each build */
export function rebuild({ options, service, stopping }: JobContext, built: () => void): Job {
  return {
    ...{ kind: 'build', fault: 'the build', checkFault: 'checking for changes', label: 'not published:' },
    // Read the configuration again, as the build does: its changes must be published. A build also finishes changes of keys.
    isDue: () =>
      unfinishedSince(options.out) !== undefined ||
      isBuildDue(buildOptions({ ...options, settings: readConfig(options.config) }, SILENT)),
    async run() {
      logBuild(service.log, await buildInChild(options, stopping));
      await service.gateway.refresh();
      built();
    },
  };
}
