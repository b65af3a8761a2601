import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';

const PACKAGE = v.object({ name: v.string(), version: v.string(), license: v.string() });

/**
 * The licences of bundled packages, as Markdown.
 *
 * @param root the checkout
 * @param files bundled files, relative to `root` or absolute
 * @throws Error if a package names no licence
 */
export async function notices(root: string, files: readonly string[]): Promise<string> {
  const folders = new Set(
    files.flatMap(
      (file) => /node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)(?!.*\/node_modules\/)/.exec(file)?.[0] ?? [],
    ),
  );
  const texts = await Promise.all([...folders].sort().map((folder) => noticeOf(join(root, folder))));
  return ['# Packages that are built into Offprint', ...texts].join('\n\n') + '\n';
}

async function noticeOf(folder: string): Promise<string> {
  const text = await readFile(join(folder, 'package.json'), 'utf8');
  const { name, version, license } = v.parse(PACKAGE, JSON.parse(text));
  const licences = await Promise.all(
    (await readdir(folder, { withFileTypes: true }))
      .filter((entry) => entry.isFile() && /^(?:licen[cs]e|notice)/i.test(entry.name))
      .map((entry) => readFile(join(folder, entry.name), 'utf8')),
  );
  const quoted = licences.map((licence) => `\`\`\`\n${licence.trim()}\n\`\`\``);
  return [`## ${name} ${version}: ${license}`, ...quoted].join('\n\n');
}
