/**
 * A running Ghost and WordPress for tests, if installed: each in a temporary folder, on a free port.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../service/free-port.ts';
import { lacks } from '../lacks.ts';

/** The folder of `install-ghost`. */
const GHOST = process.env['OFFPRINT_TEST_GHOST'] ?? '';
/** From Debian's package; PHP and MariaDB are separate packages. */
const WORDPRESS = '/usr/share/wordpress';
const WORDPRESS_PROGRAMS = ['/usr/bin/php', '/usr/sbin/mariadbd', '/usr/bin/mariadb-install-db'];

/** In CI a missing WordPress is an error. Ghost is large; .ci/run says why it could not be installed. */
const IS_CI = process.env['CI'] !== undefined;

export function isTested(system: 'ghost' | 'wordpress'): boolean {
  const needs =
    system === 'ghost'
      ? [join(GHOST || '/nowhere', 'app/index.js')]
      : [`${WORDPRESS}/wp-load.php`, ...WORDPRESS_PROGRAMS];
  const mustBeThere = system === 'wordpress' && IS_CI;
  return !lacks(
    system === 'ghost' ? 'Ghost' : 'WordPress',
    mustBeThere || needs.every((path) => existsSync(path)),
  );
}

export interface RunningSystem {
  readonly url: string;
  /** Sends JSON as an administrator. */
  readonly send: (method: string, path: string, body?: unknown) => Promise<unknown>;
  readonly stop: () => Promise<void>;
}

interface Place {
  readonly folder: string;
  readonly port: number;
  readonly start: (
    command: string,
    args: readonly string[],
    options?: { cwd?: string; env?: NodeJS.ProcessEnv },
  ) => void;
  readonly stop: () => Promise<void>;
}

async function place(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'offprint-engine-'));
  const children: ChildProcess[] = [];
  return {
    folder,
    port: await freePort(),
    start: (command, args, options = {}) =>
      void children.push(spawn(command, args, { ...options, stdio: 'ignore' })),
    stop: async () => {
      for (const child of children.reverse()) {
        if (child.exitCode !== null) continue;
        const ended = once(child, 'exit');
        child.kill();
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilAnswers(url: string): Promise<void> {
  for (;;) {
    const reply = await fetch(url, { redirect: 'manual' }).catch(() => null);
    if (reply !== null && reply.status < 500) return;
    await delay(200);
  }
}

export interface GhostSystem extends RunningSystem {
  readonly content: string;
}

export async function startGhost(): Promise<GhostSystem> {
  const { folder, port, start, stop } = await place();
  const url = `http://127.0.0.1:${port}`;
  const database = join(folder, 'ghost.db');
  const themes = join(folder, 'content/themes');
  for (const name of ['adapters', 'data', 'images', 'files', 'media', 'logs', 'public', 'settings', 'themes'])
    mkdirSync(join(folder, 'content', name), { recursive: true });
  for (const name of ['source', 'casper'])
    cpSync(join(GHOST, 'app/content/themes', name), join(themes, name), {
      recursive: true,
      dereference: true,
    });
  const config = {
    ...{ url, server: { host: '127.0.0.1', port }, mail: { transport: 'Stub' } },
    database: { client: 'better-sqlite3', connection: { filename: database } },
    paths: { contentPath: join(folder, 'content') },
    privacy: { useUpdateCheck: false, useGravatar: false, useRpcPing: false },
    security: { staffDeviceVerification: false },
  };
  writeFileSync(join(folder, 'config.development.json'), JSON.stringify(config));
  symlinkSync(join(GHOST, 'app'), join(folder, 'current')); // Ghost looks for its package.json here.
  start(join(GHOST, 'node-22/bin/node'), [join(GHOST, 'app/index.js')], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'development' },
  });
  await untilAnswers(`${url}/ghost/api/admin/site/`);
  const cookies: string[] = [];
  const send = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const reply = await fetch(`${url}/ghost/api/admin/${path}`, {
      ...{ method, body: body === undefined ? null : JSON.stringify(body) },
      headers: {
        origin: url,
        'content-type': 'application/json',
        'accept-version': 'v6.0',
        cookie: cookies.join('; '),
      },
    });
    cookies.push(...reply.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? ''));
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${text.slice(0, 300)}`);
    return /^[[{]/.test(text) ? JSON.parse(text) : text;
  };
  const who = { email: 'owner@example.com', password: 'correct-horse-9-battery' };
  await send('POST', 'authentication/setup/', { setup: [{ ...who, name: 'Owner', blogTitle: 'A blog' }] });
  await send('POST', 'session/', { username: who.email, password: who.password });
  const made = JSON.stringify(
    await send('POST', 'integrations/?include=api_keys', { integrations: [{ name: 'x' }] }),
  );
  const [content = ''] = /\b[\da-f]{26}\b/.exec(made) ?? [];
  return { url, send, stop, content };
}

export interface WordPressSystem extends RunningSystem {
  /** Activates a plug-in of one file. */
  readonly plugIn: (name: string, php: string) => void;
}

export async function startWordPress(): Promise<WordPressSystem> {
  const { folder, port, start, stop } = await place();
  const url = `http://127.0.0.1:${port}`;
  const site = join(folder, 'site');
  const socket = join(folder, 'sql.sock');
  cpSync(WORDPRESS, site, {
    recursive: true,
    dereference: true,
    filter: (path) => !path.endsWith('/wp-config.php'),
  });
  const asRoot = process.getuid?.() === 0 ? ['--user=root'] : [];
  const data = `--datadir=${join(folder, 'sql')}`;
  execFileSync(
    '/usr/bin/mariadb-install-db',
    ['--no-defaults', data, '--auth-root-authentication-method=normal', ...asRoot],
    { stdio: 'ignore' },
  );
  start('/usr/sbin/mariadbd', ['--no-defaults', data, `--socket=${socket}`, '--skip-networking', ...asRoot]);
  const keys = ['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'].flatMap((name) => [
    `${name}_KEY`,
    `${name}_SALT`,
  ]);
  const constants = {
    ...{ DB_NAME: 'wordpress', DB_USER: 'root', DB_PASSWORD: '', DB_CHARSET: 'utf8mb4', DB_COLLATE: '' },
    ...{ DB_HOST: `localhost:${socket}`, DISABLE_WP_CRON: true, AUTOMATIC_UPDATER_DISABLED: true },
    // Application passwords otherwise need https.
    ...{ WP_ENVIRONMENT_TYPE: 'local', WP_HTTP_BLOCK_EXTERNAL: true },
    ...Object.fromEntries(keys.map((key) => [key, key])),
  };
  const lines = Object.entries(constants).map(
    ([name, value]) => `define('${name}', ${JSON.stringify(value)});`,
  );
  const load = `$table_prefix = 'wp_'; if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');`;
  writeFileSync(
    join(site, 'wp-config.php'),
    `<?php ${lines.join('\n')}\n${load}\nrequire_once ABSPATH . 'wp-settings.php';`,
  );
  const php = (code: string): string =>
    execFileSync('/usr/bin/php', ['-r', code], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const connect = `$db = @new mysqli('localhost', 'root', '', '', 0, '${socket}');`;
  for (;;) {
    try {
      php(`mysqli_report(MYSQLI_REPORT_STRICT); ${connect} $db->query('CREATE DATABASE wordpress');`);
      break;
    } catch {
      await delay(200);
    }
  }
  start('/usr/bin/php', ['-S', `127.0.0.1:${port}`, '-t', site]);
  await untilAnswers(`${url}/wp-admin/install.php`);
  const form = {
    ...{ weblog_title: 'A & B', user_name: 'Editor', admin_email: 'a@example.com', pw_weak: '1' },
    ...{ admin_password: 'horse-battery-9', admin_password2: 'horse-battery-9' },
  };
  await fetch(`${url}/wp-admin/install.php?step=2`, { method: 'POST', body: new URLSearchParams(form) });
  const password = php(`
    $_SERVER['HTTP_HOST'] = '127.0.0.1:${port}'; $_SERVER['REQUEST_URI'] = '/';
    require '${site}/wp-load.php';
    update_option('timezone_string', 'Europe/Berlin');
    $wp_rewrite->set_permalink_structure('/%year%/%monthnum%/%postname%/'); flush_rewrite_rules();
    echo WP_Application_Passwords::create_new_application_password(1, ['name' => 'offprint'])[0];
  `).trim();
  const authorization = `Basic ${Buffer.from(`Editor:${password}`).toString('base64')}`;
  const send = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const reply = await fetch(`${url}/wp-json/wp/v2/${path}`, {
      ...{ method, body: body === undefined ? null : JSON.stringify(body) },
      headers: { authorization, 'content-type': 'application/json' },
    });
    const answer: unknown = await reply.json();
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${JSON.stringify(answer).slice(0, 300)}`);
    return answer;
  };
  const plugIn = (name: string, code: string): void => {
    mkdirSync(join(site, 'wp-content/mu-plugins'), { recursive: true });
    writeFileSync(join(site, 'wp-content/mu-plugins', `${name}.php`), `<?php ${code}`);
  };
  return { url, send, stop, plugIn };
}
