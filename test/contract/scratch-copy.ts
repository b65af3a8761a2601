import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderUntil } from '../build/temporary-folder.ts';
import { ROOT } from '../docs/documents.ts';

const FOLDERS = ['common', 'contract', 'build', 'cli', 'data', 'gateway', 'import'];

/** A copy of the project's code that a test may modify. */
export interface ScratchCopy {
  readonly folder: string;
  /** Writes the project's version of a file, with `row` inserted after the only occurrence of `after`. */
  insert(file: string, after: string, row: string): void;
  /** Reverts all insertions. */
  restore(): void;
  /**
   * The compiler's errors; empty: none.
   *
   * @param files only these and their imports, which is a fifth of the work
   */
  compiled(files?: readonly string[]): string;
}

/** @param end called when the copy is no longer needed: afterAll */
export function scratchCopy(end: (callback: () => void) => void): ScratchCopy {
  const folder = folderUntil(end);
  const changed = new Set<string>();
  for (const name of FOLDERS) {
    const isDatabase = (file: string) => /\.db(-\w+)?$/.test(file);
    cpSync(join(ROOT, name), join(folder, name), { recursive: true, filter: (file) => !isDatabase(file) });
  }
  for (const name of ['package.json', 'node_modules']) symlinkSync(join(ROOT, name), join(folder, name));
  const writeConfig = (sources: object) =>
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        ...{ extends: join(ROOT, 'tsconfig.json'), compilerOptions: { types: ['node'] } },
        ...sources,
      }),
    );
  return {
    folder,
    insert(file, after, row) {
      const parts = readFileSync(join(ROOT, file), 'utf8').split(after);
      if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} places "${after}".`);
      writeFileSync(join(folder, file), parts.join(`${after}${row}\n`));
      changed.add(file);
    },
    restore() {
      for (const file of changed) cpSync(join(ROOT, file), join(folder, file));
      changed.clear();
    },
    compiled(files) {
      const excluded = ['gateway/worker', 'gateway/fetch', 'cli/dev-worker.ts'];
      writeConfig(files === undefined ? { include: FOLDERS, exclude: excluded } : { include: [], files });
      try {
        const tsc = join(ROOT, 'node_modules/.bin/tsc');
        execFileSync(tsc, ['-p', folder], { stdio: 'pipe', encoding: 'utf8' });
        return '';
      } catch (error) {
        return error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error);
      }
    },
  };
}
