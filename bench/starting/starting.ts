/**
 * `npm run bench:starting [-- --times N]`: the first start of the npm package, with the sample blog.
 *
 *   package    compiled and installed into an empty folder by npm
 *   measured   N starts (default 15), each in an empty folder: from the spawn to the printed address, and to the first list;
 *              before the package has a compile cache, and with one; in the same rounds `node -e 0`
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PREFIX } from '../../contract/api.ts';
import { compilePackage } from '../../release/compile.ts';
import { pack } from '../../release/pack.ts';
import { median, quantile } from '../median.ts';

const { values } = parseArgs({ options: { times: { type: 'string', default: '15' } } });
const folder = mkdtempSync(join(tmpdir(), 'offprint-bench-'));
const program = join(folder, 'node_modules/offprint/cli/offprint.mjs');
const compileCache = join(folder, 'node_modules/offprint/node_modules/.cache');

try {
  await install();
  const [node, first, again]: [number[], Start[], Start[]] = [[], [], []];
  for (let round = 0; round < Number(values.times); round++) {
    node.push(bareNode());
    rmSync(compileCache, { recursive: true, force: true });
    first.push(await start(join(folder, `first-${round}`)));
    if (!existsSync(compileCache)) throw new Error(`The start wrote no compile cache to ${compileCache}.`);
    again.push(await start(join(folder, `again-${round}`)));
  }
  const base = median(node);
  print('node -e 0', node, base);
  for (const [name, starts] of [
    ['first start', first],
    ['with a compile cache', again],
  ] as const) {
    print(
      `${name}: address`,
      starts.map(({ address }) => address),
      base,
    );
    print(
      `${name}: first list`,
      starts.map(({ list }) => list),
      base,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Milliseconds since the spawn. */
interface Start {
  readonly address: number;
  readonly list: number;
}

async function install(): Promise<void> {
  const compiled = join(folder, 'compiled');
  await compilePackage(compiled);
  execFileSync('npm', ['init', '-y'], { cwd: folder, stdio: 'ignore' });
  const tarball = join(folder, pack(compiled, folder));
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', tarball], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function bareNode(): number {
  const started = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - started;
}

async function start(cwd: string): Promise<Start> {
  mkdirSync(cwd);
  const started = performance.now();
  const child = spawn(process.execPath, ['--max-semi-space-size=4', program, 'start', '--port', '0'], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    const url = await printedAddress(child);
    const address = performance.now() - started;
    const { status } = await fetch(`${url}/posts`);
    const list = performance.now() - started;
    if (status !== 200) throw new Error(`GET ${url}/posts answered ${status}.`);
    return { address, list };
  } finally {
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));
  }
}

function printedAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (printed += text));
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      const [url] = new RegExp(`http://\\S+${PREFIX}`).exec(printed) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.once('exit', (code) => reject(new Error(`start ended with exit code ${code}:\n${printed}`)));
  });
}

function print(what: string, times: readonly number[], base: number): void {
  const [middle, low, high] = [median(times), Math.min(...times), quantile(times, 0.9)].map(Math.round);
  const ratio = (median(times) / base).toFixed(1);
  console.log(`${what.padEnd(34)} ${middle} ms (${low}–${high}), ${ratio} × node -e 0`);
}
