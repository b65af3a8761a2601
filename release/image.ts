import { execFileSync } from 'node:child_process';

/** Programs that build images: the arguments of a check that one works, and of a build. */
const BUILDERS = {
  docker: { check: ['info'], build: ['build'] },
  podman: { check: ['info'], build: ['build', '--format', 'docker'] },
} as const;

/**
 * Builds the container image of a checkout, `offprint:VERSION`, and writes it to a file for `docker load`.
 *
 * @returns false: neither Docker nor Podman works here
 */
export function buildImage(checkout: string, version: string, file: string): boolean {
  const builder = (Object.keys(BUILDERS) as (keyof typeof BUILDERS)[]).find((name) =>
    succeeds(name, BUILDERS[name].check),
  );
  if (builder === undefined) return false;
  const run = (...args: readonly string[]) =>
    execFileSync(builder, args, { cwd: checkout, stdio: 'inherit' });
  const name = `offprint:${version}`;
  run(...BUILDERS[builder].build, '-f', 'deploy/Dockerfile', '-t', name, '.');
  run('save', '--output', file, name);
  return true;
}

function succeeds(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
