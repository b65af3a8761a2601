import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Fills a folder that all test files of a run share. The first process that asks for it fills it; others wait. Do
 * not change its content.
 *
 * @returns its path
 * @throws Error with the message of the process that failed to fill it
 */
export async function onceARun(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(tmpdir(), `offprint-shared-${name}`); // A folder for the test run: test/temporary-files.ts.
  const outcome = `${folder}.outcome`;
  try {
    mkdirSync(folder);
  } catch {
    while (!existsSync(outcome)) await delay(50);
    const message = readFileSync(outcome, 'utf8');
    if (message !== '') throw new Error(message);
    return folder;
  }
  const end = (message: string) => {
    writeFileSync(`${outcome}.new`, message);
    renameSync(`${outcome}.new`, outcome);
  };
  try {
    await fill(folder);
  } catch (error) {
    end(`${name}: ${String(error)}`);
    throw error;
  }
  end('');
  return folder;
}
