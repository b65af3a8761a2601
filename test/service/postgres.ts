/** PostgreSQL of Debian, for tests: clusters in temporary folders, each with a server that can be killed. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from 'node:net';
import fastGlob from 'fast-glob';
import { Client } from 'pg';
import { lacks } from '../lacks.ts';
import { freePort } from './free-port.ts';

const [PROGRAMS = '/nowhere'] = fastGlob
  .sync('/usr/lib/postgresql/*/bin', { onlyDirectories: true })
  .reverse();

/** Whether tests with PostgreSQL are skipped. In CI a missing one is an error. */
export function lacksPostgres(): boolean {
  return lacks('PostgreSQL', process.env['CI'] !== undefined || existsSync(join(PROGRAMS, 'initdb')));
}

/** As root, the servers run as the user of Debian's package: they refuse root. */
function user(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (what: string) => Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

function run(program: string, args: readonly string[]): void {
  execFileSync(join(PROGRAMS, program), args, { ...user(), cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Durable when a process dies, as these tests kill processes and no machine. Shared memory is removed with its folder. */
const SETTINGS = `
  listen_addresses = '127.0.0.1'
  unix_socket_directories = ''
  fsync = off
  dynamic_shared_memory_type = mmap
  shared_buffers = 16MB
  wal_level = replica
`;

let databases = 0;

export class Cluster {
  readonly #folder: string;
  readonly port: number;
  #server: ChildProcess | undefined;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.port = port;
  }

  /** Makes and starts one. @param settings lines of postgresql.conf */
  static async start(settings = ''): Promise<Cluster> {
    const cluster = await Cluster.#make();
    run('initdb', ['--no-sync', '--auth=trust', '--username=postgres', '-D', cluster.#folder]);
    cluster.configure(`${SETTINGS}port = ${cluster.port}\n${settings}`);
    await cluster.start();
    return cluster;
  }

  static async #make(port?: number): Promise<Cluster> {
    const folder = mkdtempSync(join(tmpdir(), 'offprint-postgres-'));
    const { uid, gid } = user();
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
    return new Cluster(folder, port ?? (await freePort()));
  }

  /** A copy that follows this one. It is synchronous if this one waits for `standby`. @param port default: a free one */
  async standby(port?: number): Promise<Cluster> {
    const copy = await Cluster.#make(port);
    const from = `host=127.0.0.1 port=${this.port} user=postgres application_name=standby`;
    run('pg_basebackup', ['--no-sync', '--checkpoint=fast', '-R', '-D', copy.#folder, '-d', from]);
    copy.configure(`port = ${copy.port}`);
    await copy.start();
    return copy;
  }

  configure(lines: string): void {
    appendFileSync(join(this.#folder, 'postgresql.conf'), `${lines}\n`);
    this.#server?.kill('SIGHUP');
  }

  /** With TLS from the next start on. @returns the path of its certificate, for this name */
  useTls(name: string): string {
    const [key, certificate] = [join(this.#folder, 'tls.key'), join(this.#folder, 'tls.crt')];
    const options = [
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-subj',
      `/CN=${name}`,
      '-addext',
      `subjectAltName=DNS:${name}`,
    ];
    execFileSync('openssl', ['req', ...options, '-keyout', key, '-out', certificate], {
      ...user(),
      cwd: '/',
      stdio: 'ignore',
    });
    this.configure(`ssl = on\nssl_key_file = '${key}'\nssl_cert_file = '${certificate}'`);
    return certificate;
  }

  /** Starts it, and waits until it answers. */
  async start(): Promise<void> {
    for (;;) {
      const server = spawn(join(PROGRAMS, 'postgres'), ['-D', this.#folder], {
        ...user(),
        cwd: '/',
        stdio: 'ignore',
      });
      this.#server = server;
      // Children of a killed server may still be there: then it ends at once.
      await this.untilReady();
      if (server.exitCode === null) return;
      await delay(50);
    }
  }

  /** Waits until it answers, or has ended. */
  async untilReady(): Promise<void> {
    while (this.#server?.exitCode === null && !(await this.query('SELECT 1').catch(() => null)))
      await delay(20);
  }

  /** SIGINT: ends connections and writes all; SIGKILL: dies. */
  async stop(signal: 'SIGINT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server?.exitCode !== null || server.signalCode !== null) return;
    server.kill(signal);
    await once(server, 'exit');
  }

  /** Makes a standby the primary. */
  promote(): void {
    writeFileSync(join(this.#folder, 'promote'), '');
    this.#server?.kill('SIGUSR1');
  }

  /** Where its database is, in the form of `--counts`. @param others further hosts */
  address(database: string, others: readonly Cluster[] = []): string {
    const hosts = [this, ...others].map(({ port }) => `127.0.0.1:${port}`);
    return `postgres://postgres@${hosts.join(',')}/${database}`;
  }

  /** Makes a database. @returns its name */
  async createDatabase(): Promise<string> {
    databases += 1;
    const name = `blog_${process.pid}_${databases}`;
    await this.query(`CREATE DATABASE ${name}`);
    return name;
  }

  async query(statement: string, database = 'postgres'): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: this.address(database), connectionTimeoutMillis: 5000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<Record<string, unknown>>(statement);
      return rows;
    } finally {
      await client.end();
    }
  }

  async remove(): Promise<void> {
    await this.stop('SIGKILL');
    // Until its other processes have noticed.
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 100 });
  }
}

/** A pooler of two connections for all clients of a cluster, which may change with each transaction. */
export async function startPgBouncer(
  behind: number,
): Promise<{ readonly port: number; remove(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'offprint-pgbouncer-'));
  const { uid, gid } = user();
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  const port = await freePort();
  const settings = `
    [databases]
    * = host=127.0.0.1 port=${behind} user=postgres
    [pgbouncer]
    listen_addr = 127.0.0.1
    listen_port = ${port}
    unix_socket_dir =
    auth_type = any
    pool_mode = transaction
    default_pool_size = 2
  `;
  writeFileSync(join(folder, 'pgbouncer.ini'), settings.replace(/^ +/gm, ''));
  const pooler = spawn('/usr/sbin/pgbouncer', ['-q', join(folder, 'pgbouncer.ini')], {
    ...user(),
    stdio: 'ignore',
  });
  const isUp = async () => {
    const socket = connect(port, '127.0.0.1');
    const connected = await once(socket, 'connect').catch(() => null);
    socket.destroy();
    return connected !== null;
  };
  while (!(await isUp())) await delay(20);
  return {
    port,
    async remove() {
      pooler.kill('SIGKILL');
      await once(pooler, 'exit');
      rmSync(folder, { recursive: true });
    },
  };
}
