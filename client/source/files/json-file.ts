import { readFile, rename, writeFile } from 'node:fs/promises';

/** With growing pauses: half a second. */
const RENAMES = 10;

/**
 * What `writeJson` wrote, undefined if there is no file.
 *
 * @param isComplete whether the file holds what was written
 * @throws Error if it does not, or cannot be read
 */
export async function readJson<T extends object>(
  path: string,
  isComplete: (value: Partial<T>) => value is T,
): Promise<T | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const value = parseObject(text);
  if (value === null || !isComplete(value))
    throw new Error(`${path} is damaged. Delete the copy's folder to read the complete blog again.`);
  return value;
}

/** Null if the text is missing or not JSON. */
function parseObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** Replaces a file atomically. On Windows it waits until no program has the file open, such as a virus scanner. */
export async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(value));
  for (let tries = 1; ; tries++) {
    try {
      return await rename(`${path}.new`, path);
    } catch (error) {
      if (tries === RENAMES || !isInUse(error)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, tries * 10));
  }
}

function isInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?:EPERM|EACCES|EBUSY)$/.test(String(error.code));
}
