import { IS_PACKAGE } from '../common/program-files.ts';

/**
 * How to call Offprint from a shell: `offprint`; under npx `npx offprint`; in a checkout `npm run -s offprint --`.
 * Error messages and help use it.
 */
export function commandLine(command: string): string {
  if (!IS_PACKAGE) return `npm run -s offprint -- ${command}`;
  // npx sets this variable.
  const isByNpx = process.env['npm_command'] === 'exec';
  return `${isByNpx ? 'npx offprint' : 'offprint'} ${command}`;
}
