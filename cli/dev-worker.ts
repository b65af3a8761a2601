/**
 * `npm run dev:worker`: runs the Worker locally with the sample blog. Wrangler runs it in workerd with a local bucket,
 * which `publish` fills as it would Cloudflare's.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ignoreEmptyVariables } from './environment.ts';
import { writeLocalConfig } from './worker-config.ts';

ignoreEmptyVariables();
const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** In .gitignore. */
const FOLDER = `${ROOT}.wrangler/sample/`;
const [DB, OUT, CONFIG] = [`${FOLDER}blog.db`, `${FOLDER}out`, `${FOLDER}wrangler.json`];
const BUCKET = 'sample-blog';
const PORT = process.env['PORT'] ?? '8788';
/** Credentials of the local bucket, which only this machine can reach. */
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
  // Wrangler would log whole requests, with their keys, to a file.
  { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, X_LOCAL_OBSERVABILITY: 'false' } },
);
wrangler.on('exit', (code) => process.exit(code ?? 1));
// Stop Wrangler on any exit, by a signal or a closed pipe.
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
  // Wrangler runs in its own process, so this one may block.
  offprint('publish', '--out', OUT, ...to);
  // A key is printed only to a terminal.
  if (isNew && process.stdout.isTTY) {
    offprint('keys', 'create', '--db', DB, '--out', OUT, '--account', 'sample', '--name', 'sample', ...to);
  }
  console.log(
    `\n  The Worker is serving the sample blog: ${address}/api/public/v1, and its documentation: ${address}\n`,
  );
}

/** Runs a command, and exits if it fails. */
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
