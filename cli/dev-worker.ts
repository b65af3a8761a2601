/**
 * `npm run dev:worker`: the Worker on this machine, with the sample blog. Wrangler runs it in workerd, and has
 * its own bucket, which is filled as Cloudflare's would be: by `publish`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writeLocalConfig } from './worker-config.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Git leaves it alone. */
const FOLDER = `${ROOT}.wrangler/sample/`;
const [DB, OUT, CONFIG] = [`${FOLDER}blog.db`, `${FOLDER}out`, `${FOLDER}wrangler.json`];
const BUCKET = 'sample-blog';
const PORT = process.env['PORT'] ?? '8788';
/** They open the bucket of this machine, which answers to this machine alone. */
const CREDENTIALS = { accessKeyId: 'local-access-key', secretAccessKey: 'local-secret-access-key' };

mkdirSync(FOLDER, { recursive: true });
writeLocalConfig(CONFIG, { bucket: BUCKET, prefix: '', credentials: CREDENTIALS });
const isNew = !existsSync(DB);
offprint('import', 'markdown', `${ROOT}data/sample`, '--db', DB);
offprint('build', '--db', DB, '--out', OUT);

const wrangler = spawn(
  process.execPath,
  [
    ...[`${ROOT}node_modules/wrangler/bin/wrangler.js`, 'dev', '--config', CONFIG],
    ...['--persist-to', `${FOLDER}state`, '--ip', '127.0.0.1', '--port', PORT],
    '--show-interactive-dev-session=false',
  ],
  // Wrangler would keep whole requests, with their keys, in a file.
  { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, X_LOCAL_OBSERVABILITY: 'false' } },
);
wrangler.on('exit', (code) => process.exit(code ?? 1));
// However this ends, by a signal or because nobody reads what it prints, Wrangler does not go on without it.
process.on('exit', () => wrangler.kill());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
process.stdout.once('error', () => process.exit(1));
let printed = '';
wrangler.stdout.setEncoding('utf8').on('data', (text: string) => {
  process.stdout.write(text);
  const wasReady = addressIn(printed) !== undefined;
  printed += text;
  const address = addressIn(printed);
  if (address !== undefined && !wasReady) fill(address);
});

function addressIn(text: string): string | undefined {
  return /Ready on (http:\/\/[\d.]+:\d+)/.exec(text)?.[1];
}

function fill(address: string): void {
  const to = ['--to', `s3://${BUCKET}`, '--endpoint', `${address}/cdn-cgi/local/r2/s3`];
  // Wrangler answers in its own process, so this one may wait.
  offprint('publish', '--out', OUT, ...to);
  // A key is printed only to a terminal.
  if (isNew && process.stdout.isTTY) {
    offprint('keys', 'create', '--db', DB, '--out', OUT, '--account', 'sample', '--name', 'sample', ...to);
  }
  console.log(
    `\n  The Worker is serving the sample blog: ${address}/api/public/v1, and its documentation: ${address}\n`,
  );
}

/** Runs a command, and ends where it fails. */
function offprint(...args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [`${ROOT}cli/offprint.mjs`, ...args], {
    stdio: 'inherit',
    env: {
      ...process.env,
      AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    },
  });
  if (status !== 0) process.exit(status ?? 1);
}
