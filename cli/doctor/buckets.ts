import { readLastPublishes } from '../../build/publish/last-publish.ts';
import { shellQuoted } from '../../common/shell.ts';
import { commandLine } from '../command-line.ts';
import { withBucket } from '../bucket.ts';
import { counted } from '../terminal.ts';
import { failed, type Finding, ok, warning } from './finding.ts';
import type { Installation } from './installation.ts';
import { servedSnapshot } from './output.ts';

/** With `--remote`: whether each published bucket can be reached, and serves the same snapshot as the output. */
export async function checkBuckets(installation: Installation): Promise<Finding[]> {
  const { out, publishTo, endpoint, remote } = installation;
  const known = new Map(
    Object.entries(readLastPublishes(out)).map(([to, last]) => [to, last.endpoint] as const),
  );
  if (publishTo !== undefined && endpoint !== undefined) known.set(publishTo, endpoint);
  if (known.size === 0) return [];
  if (!remote) return [ok(`${counted(known.size, 'bucket')}, not asked without --remote`)];
  return Promise.all([...known].map(([to, url]) => compared(out, to, url)));
}

async function compared(out: string, to: string, endpoint: string): Promise<Finding> {
  try {
    const { bucketPointer } = await import('../../build/publish/bucket-snapshots.ts');
    const { snapshot } = await withBucket({ to, endpoint }, bucketPointer);
    if (snapshot === servedSnapshot(out)?.snapshot) return ok(`${to} serves this snapshot`);
    return warning(
      `${to} serves snapshot ${snapshot}, and the output another.`,
      commandLine(`publish --to ${shellQuoted(to)} --endpoint ${shellQuoted(endpoint)}`),
    );
  } catch (thrown) {
    return failed(thrown);
  }
}
