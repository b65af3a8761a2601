import { spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type CommandResult, type Environment, resultOf } from '../service/command.ts';
import { OFFPRINT } from '../service/program.ts';

/** An unprivileged user. */
export const NOBODY = 65534;
const IDS = { uid: NOBODY, gid: NOBODY };

/** Whether this process can switch to that user, and that user can read this checkout. */
export const CAN_BE_NOBODY =
  process.getuid?.() === 0 && spawnSync(process.execPath, ['--check', OFFPRINT], IDS).status === 0;

/**
 * A separate cache for compiled modules: this user may not use that of the tests, and compiling takes two seconds.
 */
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/offprint-as-nobody', import.meta.url));
if (CAN_BE_NOBODY) {
  mkdirSync(COMPILED, { recursive: true });
  chownSync(COMPILED, NOBODY, NOBODY);
}

/** All variables of such a process; it has no home folder. */
export const ENVIRONMENT_OF_NOBODY = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: COMPILED };

/** Runs `offprint ARGUMENTS` as that user, and waits for its end. */
export function offprintAsNobody(
  args: readonly string[],
  environment: Environment = {},
): Promise<CommandResult> {
  const env = { ...ENVIRONMENT_OF_NOBODY, ...environment };
  return resultOf(spawn(process.execPath, [OFFPRINT, ...args], { ...IDS, cwd: '/', env }));
}
