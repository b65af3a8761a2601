import { readFileSync } from 'node:fs';

/** The name of a user of this machine; the number where no name is known. */
export function userName(uid: number): string {
  const line = accounts().find((fields) => fields[2] === String(uid));
  return line?.[0] ?? String(uid);
}

/** Lines of passwd(5). */
function accounts(): string[][] {
  try {
    return readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'));
  } catch {
    return []; // A system without this file.
  }
}
