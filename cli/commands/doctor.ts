import type { Command } from 'commander';
import { colours } from '../colours.ts';
import { error, failed, type Finding, type Level, ok } from '../doctor/check.ts';
import type { CheckedFinding } from '../doctor/checks.ts';
import { EndsWith } from '../failure.ts';
import { type CommandFlags, type DatabaseFlags, mainCommand } from '../options.ts';
import { DEFAULT_CONFIG, DEFAULTS, readConfig, type ReadConfig } from '../settings.ts';
import { counted } from '../terminal.ts';
import { VERSION } from '../version.ts';

interface Options extends DatabaseFlags, CommandFlags {
  readonly remote?: boolean;
  readonly counts?: string;
}

const EXIT_CODES = `
Exit codes:
  0  no errors; there may be warnings
  1  at least one error`;

export function doctorCommand(): Command {
  return mainCommand('doctor', ['db', 'out', 'counts', 'config', 'json'], 'doctor')
    .option('--remote', 'ask buckets too, over the network')
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
  if (options.json) console.log(JSON.stringify({ errors, warnings, findings }));
  else {
    for (const finding of findings) console.log(described(finding));
    const isFine = errors + warnings === 0;
    const sums = `${counted(errors, 'error')}, ${counted(warnings, 'warning')}.`;
    console.log(isFine ? colours.green('No problems found.') : sums);
  }
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
      'Install Offprint again on this machine, with this Node: packages of another platform do not work here.',
    );
  }
}

/** Loaded late: it needs the native package, which was just checked. */
async function examineAll(options: Options): Promise<CheckedFinding[]> {
  const { examine } = await import('../doctor/checks.ts');
  const { settings, configFault } = readSettings(options.config);
  return examine({
    ...options,
    ...{ config: options.config ?? DEFAULT_CONFIG, settings, configFault },
  });
}

function readSettings(config: string | undefined): { settings: ReadConfig; configFault: unknown } {
  try {
    return { settings: readConfig(config), configFault: null };
  } catch (error) {
    return { settings: DEFAULTS, configFault: error };
  }
}

const LABELS: Readonly<Record<Level, string>> = {
  ok: colours.green('ok     '),
  warning: colours.yellow('warning'),
  error: colours.red('error  '),
};

function described({ check, level, finding, next }: CheckedFinding): string {
  const name = colours.bold(check.padEnd(13));
  return `${LABELS[level]}  ${name}  ${finding}${next === null ? '' : `\n${' '.repeat(24)}${next}`}`;
}
