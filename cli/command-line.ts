import { IS_PACKAGE } from '../common/program-files.ts';

/**
 * What a person types for a command of Offprint: `offprint build`; `npx offprint build` where npx runs this; in a checkout
 * `npm run -s offprint -- build`.
 */
export function commandLine(command: string): string {
  if (!IS_PACKAGE) return `npm run -s offprint -- ${command}`;
  // npx says so in the environment of what it runs.
  const isByNpx = process.env['npm_command'] === 'exec';
  return `${isByNpx ? 'npx offprint' : 'offprint'} ${command}`;
}
