import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** One constant reply. */
export interface ConstantReply {
  /** Path and query. */
  readonly target: string;
  readonly status: number;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  readonly body: string;
}

/** Headers that nginx sets itself. */
const ITS_OWN = new Set(['content-length', 'content-type', 'etag', 'date', 'connection', 'keep-alive']);

/**
 * Writes the replies as static files and a configuration for nginx; returns the arguments to start it with.
 *
 * @param replies all with status 200
 */
export function prepareNginx(folder: string, port: number, replies: readonly ConstantReply[]): string[] {
  mkdirSync(join(folder, 'files'), { recursive: true });
  replies.forEach(({ body }, i) => writeFileSync(join(folder, 'files', `${i}.json`), body));
  const files = replies.map(({ target }, i) => `${quoted(target)} /${i}.json;`).join('\n    ');
  const headers = pairs(replies[0]?.headers ?? [])
    .filter(([name]) => !ITS_OWN.has(name.toLowerCase()) && name.toLowerCase() !== 'link')
    .map(([name, value]) => `add_header ${name} ${quoted(value)};`)
    .join('\n      ');
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  open_file_cache max=100;
  types { application/json json; }
  charset utf-8;
  charset_types application/json;
  client_body_temp_path ${folder}/temporary; proxy_temp_path ${folder}/temporary;
  fastcgi_temp_path ${folder}/temporary; uwsgi_temp_path ${folder}/temporary; scgi_temp_path ${folder}/temporary;
  map_hash_bucket_size 1024;
  map $request_uri $file {
    default /none;
    ${files}
  }
  server {
    listen 127.0.0.1:${port};
    root ${folder}/files;
    location / {
      ${headers}
      try_files $file =404;
    }
  }
}
`,
  );
  const [config, errors] = ['nginx.conf', 'error.log'].map((name) => `${folder}/${name}`);
  return `-p ${folder} -c ${config} -e ${errors} -g`.split(' ').concat('daemon off;');
}

function pairs(headers: readonly string[]): [string, string][] {
  return headers.flatMap((name, i): [string, string][] =>
    i % 2 === 0 ? [[name, headers[i + 1] ?? '']] : [],
  );
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
