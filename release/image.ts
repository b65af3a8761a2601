import { execFileSync } from 'node:child_process';

/** Programs that build images, and whether each can run here is asked by. */
const BUILDERS = {
  docker: { asks: ['info'], builds: ['build'] },
  podman: { asks: ['info'], builds: ['build', '--format', 'docker'] },
} as const;

/**
 * Builds the container image of a checkout, `offprint:VERSION`, and writes it to a file that `docker load` reads.
 *
 * @returns whether there is a program that can
 */
export function buildImage(checkout: string, version: string, file: string): boolean {
  const builder = (Object.keys(BUILDERS) as (keyof typeof BUILDERS)[]).find((name) =>
    succeeds(name, BUILDERS[name].asks),
  );
  if (builder === undefined) return false;
  const run = (...args: readonly string[]) =>
    execFileSync(builder, args, { cwd: checkout, stdio: 'inherit' });
  const name = `offprint:${version}`;
  run(...BUILDERS[builder].builds, '-f', 'deploy/Dockerfile', '-t', name, '.');
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
