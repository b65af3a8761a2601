/**
 * Static hosts: nginx with the configuration of deploy/export/ under a path of a site, and a small server
 * of our own.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import send from 'send';
import { codeBlocks, read, section } from '../docs/documents.ts';
import { freePort } from '../service/free-port.ts';

export interface StaticHost {
  /** The address of the folder, with a trailing slash. */
  readonly url: string;
  end(): Promise<void>;
}

const NGINX = '/usr/sbin/nginx';
export const HAS_NGINX = spawnSync(NGINX, ['-v']).status === 0 || process.env['CI'] !== undefined;

/** Serves a folder under `/some/path/`, like a generic static host. */
export async function serveFolder(folder: string): Promise<StaticHost> {
  const prefix = '/some/path/';
  const server = createServer((request, response) => {
    const [path = ''] = request.url?.split('?') ?? [];
    const file = path.startsWith(prefix) ? path.slice(prefix.length) : 'none';
    send(request, `/${file}`, { root: folder }).pipe(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${prefix}`,
    async end() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Serves a folder with nginx, as documented. */
export async function serveByNginx(folder: string): Promise<StaticHost> {
  const home = mkdtempSync(join(tmpdir(), 'offprint-nginx-'));
  const [recipe] = codeBlocks(section('docs/owners/exporting.md', '## nginx'));
  const [locations = '', commands = ''] = [read('deploy/export/nginx.conf'), recipe?.code ?? ''].map((text) =>
    text.replaceAll('/srv/blog-data/', `${folder}/`).replaceAll('/etc/nginx/', `${home}/`),
  );
  if (!locations.includes(folder)) throw new Error('deploy/export/nginx.conf names another folder.');
  const rewrite = commands.split('\n').filter((line) => !line.startsWith('nginx '));
  execFileSync('sh', ['-ec', rewrite.join('\n')]);
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  writeFileSync(
    join(home, 'nginx.conf'),
    [
      ...['daemon off;', `pid ${home}/pid;`, `error_log ${home}/error.log;`, 'events {}', 'http {'],
      ...['include /etc/nginx/mime.types;', 'access_log off;'],
      ...temporary.map((name) => `${name}_temp_path ${home}/${name};`),
      ...[`server { listen 127.0.0.1:${port};`, locations, '} }'],
    ].join('\n'),
  );
  // Started as root, its workers would run as another user, who may not read the tests' folders.
  const user = process.getuid?.() === 0 ? ['-g', 'user root;'] : [];
  const child = spawn(NGINX, ['-c', join(home, 'nginx.conf'), '-p', home, ...user], { stdio: 'inherit' });
  const url = `http://127.0.0.1:${port}/blog-data/`;
  while (
    !(await fetch(url).then(
      () => true,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}.`);
    await sleep(50);
  }
  return {
    url,
    async end() {
      child.kill('SIGTERM');
      await once(child, 'close');
      rmSync(home, { recursive: true, force: true });
    },
  };
}
