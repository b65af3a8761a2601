import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { firstIn, statOf } from '../sources/files.ts';
import type { SiteModule } from './layouts.ts';

/** Hugo takes the first file that exists. */
const FILES = ['hugo', 'config'].flatMap((name) =>
  ['toml', 'yaml', 'yml', 'json'].map((ending) => `${name}.${ending}`),
);

export async function hasConfiguration(root: string): Promise<boolean> {
  return (await firstIn(root, [...FILES, 'config'])) !== null;
}

/**
 * If a site configures its layout folders (`module.mounts`), Hugo uses no others: it gets a copy of the configuration
 * with our layouts instead.
 *
 * @param folder for the copy
 * @returns arguments for Hugo
 */
export async function remounted(
  root: string,
  modules: readonly SiteModule[],
  layouts: string,
  folder: string,
): Promise<string[]> {
  const mounts = modules
    .filter(({ owner }) => owner === '')
    .flatMap((project) => project.mounts)
    .filter(({ target }) => /^layouts(?:\/|$)/.test(target));
  const changes: string[] = [];
  const copy = async (path: string): Promise<void> => {
    const text = await readFile(join(root, path), 'utf8');
    const changed = mounts.reduce(
      (before, { source, target }) =>
        before.replace(sourceOf(source), (_, key: string) => key + JSON.stringify(layouts + target.slice(7))),
      text,
    );
    if (changed !== text) changes.push(path);
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), changed);
  };
  const args: string[] = [];
  const file = await firstIn(root, FILES);
  if (file !== null) {
    await copy(file);
    args.push('--config', join(folder, file));
  }
  if ((await statOf(join(root, 'config'))) !== null) {
    for (const entry of await readdir(join(root, 'config'), { recursive: true, withFileTypes: true }))
      if (entry.isFile()) await copy(relative(root, join(entry.parentPath, entry.name)));
    args.push('--configDir', join(folder, 'config'));
  }
  return changes.length > 0 ? args : [];
}

/** `source = "layouts"` in TOML, YAML or JSON. */
function sourceOf(folder: string): RegExp {
  const name = folder.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(
    String.raw`(\bsource["']?[ \t]*[=:][ \t]*)["']?${name}/?["']?(?=[ \t]*(?:$|[\r,}#]))`,
    'gm',
  );
}
