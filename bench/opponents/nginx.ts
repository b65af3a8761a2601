import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dayLimit, type Limits, minuteLimit } from '../../contract/policy.ts';

const QUOTA = fileURLToPath(new URL('quota.lua', import.meta.url));
const MODULES = ['ndk_http_module.so', 'ngx_http_lua_module.so'];

/** More than a blog of 160 MB has articles. */
const MOST_FILES = 100_000;
/** Besides cached ones: connections, logs. */
const RESERVED_FILES = 500;

/** An installed nginx that runs Lua. */
export interface Nginx {
  /** Such as `1.26.3`. */
  readonly version: string;
  /** The folder of its modules. */
  readonly modules: string;
}

/** Null: it is not installed, or without its module for Lua. */
export function installedNginx(): Nginx | null {
  try {
    const output = execFileSync('sh', ['-c', 'nginx -V 2>&1'], { encoding: 'utf8' });
    const [, version] = /nginx\/([\d.]+)/.exec(output) ?? [];
    const [, modules] = /--modules-path=(\S+)/.exec(output) ?? [];
    if (version === undefined || modules === undefined) return null;
    return MODULES.every((name) => existsSync(join(modules, name))) ? { version, modules } : null;
  } catch {
    return null;
  }
}

/** An account and the value of its header `Authorization`. */
export interface Key {
  readonly authorization: string;
  readonly account: string;
  readonly plan: string;
}

/**
 * Writes a configuration for nginx: static files by the hash of their path and query, keys and counts in Lua.
 *
 * @param headers names and values in turn of an answer of Offprint, from which the constant ones are taken
 * @returns the arguments to start it with
 */
export function prepareNginx(
  folder: string,
  port: number,
  { modules }: Nginx,
  headers: readonly string[],
  keys: readonly Key[],
  limits: Limits,
): string[] {
  mkdirSync(join(folder, 'files'), { recursive: true });
  const limit = openFiles();
  const constant = CONSTANT.flatMap((name) => {
    const at = headers.indexOf(name);
    const always = name === 'Cache-Control' ? '' : ' always';
    return at === -1 ? [] : [`add_header ${name} '${headers[at + 1]}'${always};`];
  });
  const keyLines = keys.map(
    ({ authorization, account, plan }) =>
      `ngx.shared.keys:set("${authorization}", "${account}", 0, ${dayLimit(limits, plan)})`,
  );
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${process.getuid?.() === 0 ? 'user root;' : ''}
${MODULES.map((name) => `load_module ${join(modules, name)};`).join('\n')}
worker_processes 1;
worker_rlimit_nofile ${limit};
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  open_file_cache max=${limit - RESERVED_FILES} inactive=1h;
  open_file_cache_valid 1h;
  default_type application/json;
  charset utf-8;
  charset_types application/json;
  client_body_temp_path ${folder}/temporary; proxy_temp_path ${folder}/temporary;
  fastcgi_temp_path ${folder}/temporary; uwsgi_temp_path ${folder}/temporary; scgi_temp_path ${folder}/temporary;
  lua_shared_dict keys 10m;
  lua_shared_dict counts 10m;
  init_by_lua_block {
    quota = dofile("${QUOTA}")(${dayLimit(limits, 'address')}, ${minuteLimit(limits, 'address')})
    ${keyLines.join('\n    ')}
  }
  server {
    listen 127.0.0.1:${port};
    root ${folder}/files;
    location / {
      ${constant.join('\n      ')}
      set $file '';
      access_by_lua_block { quota() }
      try_files /$file =404;
    }
  }
}
`,
  );
  const [config, errors] = ['nginx.conf', 'error.log'].map((name) => `${folder}/${name}`);
  return `-p ${folder} -c ${config} -e ${errors} -g`.split(' ').concat('daemon off;');
}

/** The most files that a process may have open. */
function openFiles(): number {
  return Math.min(Number(execFileSync('sh', ['-c', 'ulimit -Hn'])) || MOST_FILES, MOST_FILES);
}

/** Writes the file that nginx sends. @param target path and query */
export function writeNginxFile(folder: string, target: string, body: string): void {
  const name = createHash('md5').update(target).digest('hex');
  writeFileSync(join(folder, 'files', name), body);
}

const CONSTANT = [
  ...['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers', 'X-Content-Type-Options'],
  ...['Vary', 'Cache-Control', 'X-Snapshot'],
];
