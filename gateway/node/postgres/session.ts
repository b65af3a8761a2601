import { setTimeout as delay } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { ExplainedError } from '../../../common/errors.ts';
import { codeOf, messageOf } from '../../../common/thrown.ts';
import { DeadlineExceeded, withDeadline } from '../../deadline.ts';
import { type CountsAddress, withoutTls } from './address.ts';
import { queryRows } from './rows.ts';
import { tryTables } from './tables.ts';

const CONNECT_MS = 1000;
const RETRY_MS = 250;
const CLOSE_MS = 500;

/** Abandoned connections that are not closed yet, since their last statement may still end. */
const ABANDONED_MAX = 4;

/** PostgreSQL cannot count at the moment. */
export class CountsUnavailable extends ExplainedError {
  /** Whether this cannot change without the operator: a wrong password, a missing table. */
  readonly isPermanent: boolean;
  /** Whether another attempt may succeed at once: the connection was lost, or the statements met others. */
  readonly isPassing: boolean;

  constructor({ shown }: Pick<CountsAddress, 'shown'>, cause: unknown) {
    const code = codeOf(cause) ?? '';
    // The client finds no password, and the error has no code.
    const isWithoutPassword = /password must be a string/.test(messageOf(cause));
    const remedy = REMEDIES.find(([codes]) => codes.test(isWithoutPassword ? '28P01' : code))?.[1];
    super(
      `Requests cannot be counted by ${shown} (${messageOf(cause) || code}): ${remedy ?? 'check the address and the server; a running service reconnects automatically.'}`,
      { cause },
    );
    this.isPermanent = remedy !== undefined;
    this.isPassing = !(cause instanceof DatabaseError) || /^(?:40|57)/.test(code);
  }
}

/** By code: of PostgreSQL ("SQLSTATE"), or of TLS. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/^28/, 'check the user, and the password in PGPASSWORD or the file that PGPASSFILE names.'],
  [/^3D000/, 'create the database, or set another with --counts.'],
  [/^42P01/, 'create its tables with "counts init".'],
  [
    /^42501/,
    'grant its user the rights that "counts init --sql" lists. "counts init" needs CREATE too: GRANT CREATE ON SCHEMA public TO username.',
  ],
  [/^22P05/, 'use a database with the encoding UTF8.'],
  [/^(?:0A|2[123]|42|44|54|55000|P0)/, 'compare its tables with those of "counts init --sql".'],
  [/CERT|SELF_SIGNED|ALTNAME/, 'set sslrootcert=FILE to the certificate to trust, or use another sslmode.'],
];

/**
 * Runs statements one after another on a connection to the one host that can be written, as libpq finds it by
 * `target_session_attrs=read-write`. After each failure it connects again. Simple queries only, so that it works through a
 * pooler of transactions.
 */
export class Session {
  readonly #address: CountsAddress;
  #connected = Promise.withResolvers<Client>();
  #client: Client | undefined;
  readonly #abandoned = new Set<Client>();
  #isClosed = false;
  /** Why the last attempt to connect failed; undefined: it did not. */
  failure: CountsUnavailable | undefined;

  constructor(address: CountsAddress) {
    this.#address = address;
  }

  /** Connects, and retries in the background. @returns after the first attempt */
  async open(): Promise<void> {
    if (!(await this.#connect())) void this.#keepConnecting();
  }

  /**
   * Runs statements on the connection. Waits for one if there is none.
   *
   * @param ms for all of it
   * @param work is abandoned at the deadline, but not cancelled
   * @throws CountsUnavailable. Another connection is used from then on
   */
  async run<T>(ms: number, work: (client: Client, endsAt: number) => Promise<T>): Promise<T> {
    const endsAt = performance.now() + ms;
    const late = `no answer within ${WAIT_SECONDS} seconds`;
    let [client, done]: [Client?, Promise<T>?] = [];
    try {
      client = await withDeadline(ms, this.#connected.promise, late);
      done = work(client, endsAt);
      return await withDeadline(endsAt - performance.now(), done, late);
    } catch (error) {
      if (client && done) this.#giveUp(client, error instanceof DeadlineExceeded ? done : undefined);
      throw new CountsUnavailable(this.#address, error);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const client = this.#client;
    if (client) await withDeadline(CLOSE_MS, client.end(), 'no answer').catch(() => destroy(client));
    this.#abandoned.forEach(destroy);
  }

  async #connect(): Promise<boolean> {
    let client: Client | undefined;
    try {
      // Each waits at the server, perhaps for a standby. More would use up its connections.
      if (this.#abandoned.size >= ABANDONED_MAX) throw new Error('it does not answer');
      client = await connectWritable(this.#address);
      await withDeadline(CONNECT_MS, queryRows(client, tryTables()), 'no answer');
      const connected = client;
      client.on('end', () => this.#giveUp(connected));
      this.failure = undefined;
      this.#client = client;
      this.#connected.resolve(client);
      if (this.#isClosed) await client.end();
      return true;
    } catch (error) {
      if (client) destroy(client);
      this.failure = new CountsUnavailable(this.#address, error);
      return false;
    }
  }

  async #keepConnecting(): Promise<void> {
    while (!this.#isClosed && !(await this.#connect())) await delay(RETRY_MS, undefined, { ref: false });
  }

  /**
   * Uses another connection from now on.
   *
   * @param pending the statement that this one still waits for. It is closed only then: the server would continue it, and
   *   a server without its standby would collect such connections
   */
  #giveUp(client: Client, pending?: Promise<unknown>): void {
    if (client !== this.#client) return;
    this.#client = undefined;
    this.#connected = Promise.withResolvers();
    const end = (): void => {
      this.#abandoned.delete(client);
      client.end().catch(() => undefined);
    };
    if (pending) {
      this.#abandoned.add(client);
      pending.then(end, end);
    } else end();
    void this.#keepConnecting();
  }
}

/** How long a request waits for its count. */
export const WAIT_SECONDS = 1.5;

/** Connects to the first host that can be written. @throws the error of the last host */
export async function connectWritable({ urls }: CountsAddress): Promise<Client> {
  let failure: unknown;
  for (const url of urls) {
    let client: Client | undefined;
    try {
      client = await connect(url);
      const shown = queryRows<{ transaction_read_only: string }>(client, 'SHOW transaction_read_only');
      const [row] = await withDeadline(CONNECT_MS, shown, 'no answer');
      if (row?.transaction_read_only === 'off') return client;
      failure ??= new Error('no host is writable');
    } catch (error) {
      failure = error;
    }
    if (client) destroy(client);
  }
  throw failure;
}

async function connect(url: string): Promise<Client> {
  const client = new Client({
    connectionString: url,
    fallback_application_name: 'offprint',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  client.on('error', () => undefined); // Its statements fail, or `end` follows.
  try {
    await client.connect();
    return client;
  } catch (error) {
    destroy(client); // It may be connected, and without a password it waits for one.
    const plain = withoutTls(url);
    if (plain === null || !/does not support SSL/.test(messageOf(error))) throw error;
    return connect(plain);
  }
}

function destroy(client: Client): void {
  client.connection.stream.destroy();
}
