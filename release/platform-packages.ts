/**
 * Packages that only some platforms install, such as Node, or the binaries of esbuild. `npm ci` on one machine asks for none
 * of the others, and skips those that do not exist.
 */
import { inParallel } from '../build/snapshot/parallel.ts';
import { messageOf } from '../common/thrown.ts';
import { absentOr, isFlag, isText, mapOf, parseJson, recordOf } from '../contract/json.ts';

/** Requests at once. */
const CONCURRENCY = 8;
const TIMEOUT_MS = 20_000;

interface Locked {
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  readonly optional?: boolean | undefined;
}

const isLockFile = recordOf<{ readonly packages: Readonly<Record<string, Locked>> }>({
  packages: mapOf(
    recordOf<Locked>({ name: absentOr(isText), version: absentOr(isText), optional: absentOr(isFlag) }),
  ),
});

/** The registry gave no answer about a package. */
export class RegistrySilent extends Error {}

/** The optional packages of a lock file, own and transitive: `esbuild-linux-64@1.0.0`. @throws SyntaxError */
export function optionalPackages(lockFile: string): string[] {
  const { packages } = parseJson(lockFile, isLockFile, 'a lock file of npm');
  const found = Object.entries(packages).flatMap(([path, { name, version, optional }]) =>
    optional && version ? `${name ?? path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}` : [],
  );
  return [...new Set(found)];
}

/**
 * Those of the packages that the registry does not have.
 *
 * @param registry its address
 * @throws RegistrySilent
 */
export async function missingPackages(packages: readonly string[], registry: string): Promise<string[]> {
  const missing: string[] = [];
  await inParallel(packages, CONCURRENCY, async (spec) => {
    const at = spec.lastIndexOf('@');
    const path = `${spec.slice(0, at).replace('/', '%2f')}/${spec.slice(at + 1)}`;
    const address = `${registry.replace(/\/$/, '')}/${path}`;
    const { status } = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
      (error: unknown) => {
        throw new RegistrySilent(`${registry} does not answer: ${messageOf(error)}`);
      },
    );
    if (status === 404) missing.push(spec);
    else if (status !== 200) throw new RegistrySilent(`${address} answered ${status}.`);
  });
  return missing.sort();
}
