import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { CommandResult } from '../service/command.ts';

const OFFPRINT = fileURLToPath(new URL('../../cli/offprint.mjs', import.meta.url));
const NOBODY = 65534;

/** Runs `offprint ARGUMENTS` as a user who owns nothing and has no home; as oneself, if not root. */
export async function offprintAsNobody(args: readonly string[]): Promise<CommandResult> {
  const isRoot = process.getuid?.() === 0;
  const child = spawn(process.execPath, [OFFPRINT, ...args], {
    ...{ cwd: '/', env: { PATH: process.env['PATH'] } },
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  return { code, stdout, stderr };
}
