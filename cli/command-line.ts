import { IS_PACKAGE } from '../common/program-files.ts';
import { shellQuoted } from '../common/shell.ts';

/**
 * How to call Offprint from a shell: `offprint`; under npx `npx offprint`, with the package that npx was given; in a
 * checkout `npm start --` or `npm run -s offprint --`. Error messages and help use it.
 */
export function commandLine(command: string): string {
  if (!IS_PACKAGE)
    return /^start(?: |$)/.test(command)
      ? command.replace(/^start/, 'npm start').replace(/^npm start /, 'npm start -- ')
      : `npm run -s offprint -- ${command}`;
  // npx sets these variables.
  const { npm_command: npm, npm_config_package: file } = process.env;
  if (npm !== 'exec') return `offprint ${command}`;
  // Without a package, it is one that the folder has installed; --no: do not ask the registry for it.
  return `npx ${file ? `--package=${shellQuoted(file)}` : '--no'} offprint ${command}`;
}
