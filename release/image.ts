import { execFileSync } from 'node:child_process';

/** Programs that build images, and how. */
const BUILDERS = { docker: ['build'], podman: ['build', '--format', 'docker'] } as const;

/**
 * Builds the container image of a checkout, `offprint:VERSION`, and writes it to a file for `docker load`.
 *
 * @returns false: neither Docker nor Podman works here
 */
export function buildImage(checkout: string, version: string, file: string): boolean {
  const builder = (['docker', 'podman'] as const).find(works);
  if (builder === undefined) return false;
  const run = (...args: readonly string[]) =>
    execFileSync(builder, args, { cwd: checkout, stdio: 'inherit' });
  const name = `offprint:${version}`;
  run(...BUILDERS[builder], '-f', 'deploy/Dockerfile', '-t', name, '.');
  run('save', '--output', file, name);
  return true;
}

function works(program: string): boolean {
  try {
    execFileSync(program, ['info'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
