import type { Command } from 'commander';
import { colours } from '../colours.ts';
import { error, failed, type Finding, type Installation, ok, type Severity } from '../doctor/check.ts';
import type { CheckedFinding } from '../doctor/checks.ts';
import { EndsWith } from '../failure.ts';
import { mainCommand } from '../options.ts';
import { DEFAULT_CONFIG, DEFAULTS, readConfig } from '../settings.ts';
import { counted, printResult } from '../terminal.ts';
import { VERSION } from '../version.ts';

type Options = Omit<Installation, 'config' | 'settings' | 'configFault'> & { readonly config?: string };

const EXIT_CODES = `
Exit codes:
  0  no errors; there may be warnings
  1  at least one error`;

export function doctorCommand(): Command {
  return mainCommand('doctor', ['db', 'out', 'counts', 'config', 'json'])
    .option('--remote', 'also check buckets, over the network')
    .addHelpText('after', EXIT_CODES)
    .action(run);
}

async function run(options: Options): Promise<void> {
  const program = await checkProgram();
  const findings: readonly CheckedFinding[] = [
    { check: 'program', ...program },
    ...(program.level === 'ok' ? await examineAll(options) : []),
  ];
  const errors = findings.filter(({ level }) => level === 'error').length;
  const warnings = findings.filter(({ level }) => level === 'warning').length;
  const sums =
    errors + warnings === 0
      ? colours.green('No problems found.')
      : `${counted(errors, 'error')}, ${counted(warnings, 'warning')}.`;
  printResult(options.json, { errors, warnings, findings }, [...findings.map(described), sums].join('\n'));
  if (errors > 0) throw new EndsWith(1);
}

/** Whether this machine can run the program: its native package is for one platform and Node version. */
async function checkProgram(): Promise<Finding> {
  const program = `Offprint ${VERSION} on Node ${process.versions.node}, ${process.platform} ${process.arch}`;
  try {
    const { default: Database } = await import('better-sqlite3');
    new Database(':memory:').close();
    return ok(program);
  } catch (thrown) {
    return error(
      `${program}: the package better-sqlite3 cannot be loaded (${failed(thrown).finding}).`,
      'Reinstall Offprint on this machine with this Node: packages for other platforms do not work here.',
    );
  }
}

/** Loaded late: it needs the native package, which was just checked. */
async function examineAll(options: Options): Promise<CheckedFinding[]> {
  const { examine } = await import('../doctor/checks.ts');
  let [settings, configFault]: [typeof DEFAULTS, unknown] = [DEFAULTS, null];
  try {
    settings = readConfig(options.config);
  } catch (fault) {
    configFault = fault;
  }
  return examine({ ...options, config: options.config ?? DEFAULT_CONFIG, settings, configFault });
}

const LABELS: Readonly<Record<Severity, string>> = {
  ok: colours.green('ok     '),
  warning: colours.yellow('warning'),
  error: colours.red('error  '),
};

function described({ check, level, finding, next }: CheckedFinding): string {
  const name = colours.bold(check.padEnd(13));
  return `${LABELS[level]}  ${name}  ${finding}${next === null ? '' : `\n${' '.repeat(24)}${next}`}`;
}
