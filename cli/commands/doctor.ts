import { Option, type Command } from 'commander';
import { colours } from '../colours.ts';
import type { Level } from '../doctor/check.ts';
import type { CheckedFinding } from '../doctor/checks.ts';
import { checkProgram } from '../doctor/program.ts';
import { EndsWith } from '../failure.ts';
import { type CommandFlags, type DatabaseFlags, keysDatabase, mainCommand } from '../options.ts';
import { DEFAULT_CONFIG, DEFAULTS, readConfig, type ReadConfig } from '../settings.ts';
import { counted } from '../terminal.ts';

interface Options extends DatabaseFlags, CommandFlags {
  readonly host: string;
  readonly port: number;
  readonly publishTo?: string;
  readonly endpoint?: string;
  readonly remote?: boolean;
  readonly counts?: string;
}

const EXIT_CODES = `
Exit codes:
  0  no errors; there may be warnings
  1  at least one error`;

export function doctorCommand(): Command {
  return mainCommand(
    'doctor',
    ['db', 'keys', 'out', 'counts', 'host', 'port', 'config', 'endpoint', 'json'],
    'doctor',
  )
    .addOption(
      new Option('--publish-to <address>', 'the bucket that start publishes to').env('OFFPRINT_PUBLISH_TO'),
    )
    .option('--remote', 'ask buckets too, over the network')
    .addHelpText('after', EXIT_CODES)
    .action(run);
}

async function run({ json, ...options }: Options): Promise<void> {
  const program = await checkProgram();
  const findings: readonly CheckedFinding[] = [
    ...program.map((finding) => ({ check: 'program', ...finding })),
    ...(program.every(({ level }) => level === 'ok') ? await examineAll(options) : []),
  ];
  const errors = findings.filter(({ level }) => level === 'error').length;
  const warnings = findings.filter(({ level }) => level === 'warning').length;
  if (json) console.log(JSON.stringify({ errors, warnings, findings }));
  else {
    for (const finding of findings) console.log(described(finding));
    console.log(summary(errors, warnings));
  }
  if (errors > 0) throw new EndsWith(1);
}

/** Loaded late: it needs the native package, which was just checked. */
async function examineAll(options: Omit<Options, 'json'>): Promise<CheckedFinding[]> {
  const { examine } = await import('../doctor/checks.ts');
  const { settings, configFault } = readSettings(options.config);
  return examine({
    db: options.db,
    keys: keysDatabase(options),
    out: options.out,
    counts: options.counts,
    config: options.config ?? DEFAULT_CONFIG,
    ...{ settings, configFault, host: options.host, port: options.port },
    ...{ publishTo: options.publishTo, endpoint: options.endpoint, remote: options.remote ?? false },
    now: new Date(),
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

function summary(errors: number, warnings: number): string {
  if (errors === 0 && warnings === 0) return colours.green('No problems found.');
  return `${counted(errors, 'error')}, ${counted(warnings, 'warning')}.`;
}
