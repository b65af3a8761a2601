/**
 * The sample blog's snapshot in the package, as a build makes it: `snapshot.json`, `objects/` and the build's memory. A
 * first start copies it, and then builds: the build finds every article rendered. A checkout has none.
 */
import { chmodSync, copyFileSync, cpSync, existsSync, linkSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureStateFolder, guardingOutput } from '../../common/output-files.ts';
import { PRIVATE_FILE } from '../../common/private-files.ts';
import { programFile } from '../../common/program-files.ts';
import { POINTER_PATH } from '../../contract/pointer.ts';
import { build, type BuildOptions } from '../build.ts';
import { BuildMemory } from '../snapshot/memory.ts';
import { requirePointer, writePointer } from './pointer-file.ts';
import { clearStaging, placeStaged, stagedPath } from '../snapshot/staging.ts';

/** Its folder in the package. */
export const READY_SAMPLE = 'data/sample-out';

const OBJECTS = 'objects';
const MEMORY = 'state/build.db';

/**
 * Builds the sample blog into `out`, and keeps what is the same for each copy: not the blog's id and the record of
 * changes, which are each copy's own.
 *
 * @throws DatabaseError, BuildError, OutputUnwritable
 */
export async function makeReadySample(options: Omit<BuildOptions, 'strict'>): Promise<void> {
  const { out } = options;
  await build({ ...options, strict: true });
  const { changes: _, ...pointer } = requirePointer(out);
  writePointer(out, { ...pointer, blog: null });
  for (const file of readdirSync(join(out, 'state'))) {
    if (file !== 'build.db') rmSync(join(out, 'state', file), { recursive: true });
  }
}

/**
 * Puts the package's snapshot into an output folder, under the build lock, with the pointer last. If the output has
 * objects or a memory, or there is no such snapshot, it does nothing: the build has more work.
 *
 * @throws BuildRunning, OutputUnwritable
 */
export async function placeReadySample(out: string, now: Date): Promise<void> {
  const ready = programFile(READY_SAMPLE);
  if (!existsSync(join(ready, POINTER_PATH))) return;
  const isNew = () => !existsSync(join(out, OBJECTS)) && !existsSync(join(out, POINTER_PATH));
  if (!isNew() || existsSync(join(out, MEMORY))) return;
  guardingOutput(out, () => copyMemory(join(ready, MEMORY), join(out, MEMORY), out));
  const memory = BuildMemory.open(out);
  try {
    if (!isNew()) return; // Another process has built meanwhile.
    clearStaging(out);
    const staged = stagedPath(out, OBJECTS, true);
    guardingOutput(out, () => cpSync(join(ready, OBJECTS), staged, { recursive: true }));
    await placeStaged(out);
    writePointer(out, { ...requirePointer(ready), built_at: now.toISOString() });
  } finally {
    memory.close();
  }
}

/** Complete at once, and never over that of another process. */
function copyMemory(from: string, to: string, out: string): void {
  ensureStateFolder(out);
  const part = `${to}.${process.pid}.part`;
  try {
    copyFileSync(from, part);
    chmodSync(part, PRIVATE_FILE);
    if (!existsSync(to)) linkSync(part, to);
  } finally {
    rmSync(part, { force: true });
  }
}
