import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';

const PACKAGE = v.object({ name: v.string(), version: v.string(), license: v.string() });

/** A package in `node_modules`. Its licence is an SPDX expression. */
interface UsedPackage extends v.InferOutput<typeof PACKAGE> {
  /** From the checkout's root. */
  readonly folder: string;
}

/**
 * The packages that some files belong to, in the order of their folders; each version once.
 *
 * @param root the checkout
 * @param files relative to `root` or absolute
 * @throws Error if a package names no licence
 */
export async function findPackages(root: string, files: readonly string[]): Promise<UsedPackage[]> {
  // Up to the last `node_modules/`: a package may have others of its own.
  const folders = new Set(
    files.flatMap(
      (file) => /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? [],
    ),
  );
  const packages = await Promise.all([...folders].sort().map((folder) => packageAt(root, folder)));
  return [...new Map(packages.map((one) => [`${one.name} ${one.version}`, one])).values()];
}

/** @throws Error if it names no licence */
async function packageAt(root: string, folder: string): Promise<UsedPackage> {
  const text = await readFile(join(root, folder, 'package.json'), 'utf8');
  return { ...v.parse(PACKAGE, JSON.parse(text)), folder };
}

/** The licences of packages, as Markdown. */
export async function notices(root: string, packages: readonly UsedPackage[]): Promise<string> {
  const texts = await Promise.all(packages.map((one) => readNotice(root, one)));
  return ['# Packages that are built into Offprint', ...texts].join('\n\n') + '\n';
}

async function readNotice(root: string, { folder, name, version, license }: UsedPackage): Promise<string> {
  const licences = await Promise.all(
    (await readdir(join(root, folder), { withFileTypes: true }))
      .filter((entry) => entry.isFile() && /^(?:licen[cs]e|notice)/i.test(entry.name))
      .map((entry) => readFile(join(root, folder, entry.name), 'utf8')),
  );
  const quoted = licences.map((licence) => `\`\`\`\n${licence.trim()}\n\`\`\``);
  return [`## ${name} ${version}: ${license}`, ...quoted].join('\n\n');
}
