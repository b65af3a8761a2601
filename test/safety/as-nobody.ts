import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type CommandResult, resultOf } from '../service/command.ts';

const OFFPRINT = fileURLToPath(new URL('../../cli/offprint.mjs', import.meta.url));

/** The user who owns nothing. */
export const NOBODY = 65534;
const IDS = { uid: NOBODY, gid: NOBODY };

/** Whether this process may become that user, and that user read this checkout. */
export const CAN_BE_NOBODY =
  process.getuid?.() === 0 && spawnSync(process.execPath, ['--check', OFFPRINT], IDS).status === 0;

/** Starts `offprint ARGUMENTS` as nobody, with no home and no other variable than PATH. */
export function spawnAsNobody(args: readonly string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [OFFPRINT, ...args], {
    ...IDS,
    cwd: '/',
    env: { PATH: process.env['PATH'] },
  });
}

/** Runs `offprint ARGUMENTS` as nobody, to its end. */
export async function offprintAsNobody(args: readonly string[]): Promise<CommandResult> {
  return resultOf(spawnAsNobody(args));
}
