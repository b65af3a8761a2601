/** nginx and Caddy with the files of `deploy/`, in front of a service of this machine. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { read } from '../docs/documents.ts';
import { rawGet, sendRaw } from '../service/raw-client.ts';
import { freePort } from '../service/free-port.ts';

/** A running proxy. */
export interface Proxy {
  readonly url: string;
  /** The URL for HTTP/2 without TLS. */
  readonly http2: string;
  end(): Promise<void>;
}

/** A kind of proxy. */
export interface ProxyKind {
  readonly name: 'nginx' | 'Caddy';
  /** Whether to run its tests: if it is installed, and always in CI. */
  readonly isTested: boolean;
  /**
   * Starts one in front of a service.
   *
   * @param upstream its URL; for Caddy also several, separated by spaces
   * @param waitSeconds its timeout for an answer; 15 by default
   * @param isCaching whether it is also a shared cache; only nginx supports that
   */
  start(upstream: string, waitSeconds?: number, isCaching?: boolean): Promise<Proxy>;
}

const IS_CI = process.env['CI'] !== undefined;
const NGINX = '/usr/sbin/nginx';

export const nginx: ProxyKind = {
  name: 'nginx',
  isTested: spawnSync(NGINX, ['-v']).status === 0 || IS_CI,
  async start(upstream, waitSeconds = 15, isCaching = false) {
    const [port, http2Port] = [await freePort(), await freePort()];
    const site = edited(read('deploy/nginx.conf'), [
      ['127.0.0.1:8787', new URL(upstream).host],
      [
        'listen 80 default_server;',
        `listen 127.0.0.1:${port} default_server; listen 127.0.0.1:${http2Port} http2;`,
      ],
      ['proxy_read_timeout 15s;', `proxy_read_timeout ${waitSeconds}s;`],
      ['proxy_cache off;', isCaching ? 'proxy_cache answers;' : 'proxy_cache off;'],
    ]);
    return run(port, http2Port, (folder) => {
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
      const lines = [
        'daemon off;',
        // Otherwise it would run as another user, who cannot write to the folder.
        ...(process.getuid?.() === 0 ? ['user root;'] : []),
        `pid ${folder}/pid;`,
        `error_log ${folder}/error.log;`,
        'events {}',
        'http {',
        'gzip on;', // Like Debian's nginx.conf.
        'access_log off;',
        ...(isCaching ? [`proxy_cache_path ${folder}/cache keys_zone=answers:10m;`] : []),
        ...temporary.map((name) => `${name}_temp_path ${folder}/${name};`),
        site,
        '}',
      ];
      writeFileSync(`${folder}/nginx.conf`, lines.join('\n'));
      return [NGINX, '-c', `${folder}/nginx.conf`, '-p', folder];
    });
  },
};

const CADDY_OPTIONS = `{
  admin off
  default_bind 127.0.0.1
  servers {
    protocols h1 h2c
  }
  log {
    level ERROR
  }
}
`;

export const caddy: ProxyKind = {
  name: 'Caddy',
  isTested: spawnSync('caddy', ['version']).status === 0 || IS_CI,
  async start(upstream, waitSeconds = 15) {
    const [port, http2Port] = [await freePort(), await freePort()];
    const site = edited(read('deploy/Caddyfile'), [
      ['127.0.0.1:8787', upstream.replaceAll('http://', '')],
      ['{$OFFPRINT_HEALTH}', upstream.includes(' ') ? '/readyz' : ''],
      ['api.blog.example', `http://:${port}, http://:${http2Port}`],
      ['response_header_timeout 15s', `response_header_timeout ${waitSeconds}s`],
    ]);
    return run(port, http2Port, (folder) => {
      writeFileSync(`${folder}/Caddyfile`, CADDY_OPTIONS + site);
      return ['caddy', 'run', '--config', `${folder}/Caddyfile`, '--adapter', 'caddyfile'];
    });
  },
};

async function run(
  port: number,
  http2Port: number,
  prepare: (folder: string) => readonly string[],
): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), 'offprint-proxy-'));
  const [command = '', ...args] = prepare(folder);
  const home = join(folder, 'home');
  mkdirSync(home);
  const env = { ...process.env, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home };
  const child = spawn(command, args, { stdio: 'inherit', env });
  const url = `http://127.0.0.1:${port}`;
  const isUp = () => sendRaw(url, rawGet('/none')).catch(() => null);
  while ((await isUp()) === null) {
    if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}.`);
    await sleep(50);
  }
  return {
    url,
    http2: `http://127.0.0.1:${http2Port}`,
    async end() {
      if (child.exitCode === null) {
        child.kill('SIGTERM');
        await once(child, 'close');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** @throws Error if there is nothing to replace, because the test would then run the wrong file */
function edited(text: string, edits: readonly (readonly [string, string])[]): string {
  return edits.reduce((sofar, [from, to]) => {
    if (!sofar.includes(from)) throw new Error(`"${from}" is not in the file.`);
    return sofar.replace(from, to);
  }, text);
}
