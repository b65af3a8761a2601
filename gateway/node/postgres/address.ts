/** Where the counts are: `postgres://USER@HOST:PORT,HOST2/DATABASE?sslmode=verify-full`, as libpq reads it. */
import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { ExplainedError } from '../../../common/errors.ts';
import { messageOf } from '../../../common/thrown.ts';

export interface CountsAddress {
  /** Of these, the writable one is used. An undefined part is that of PGHOST, PGPORT, PGUSER and so on. */
  readonly hosts: readonly { readonly host: string | undefined; readonly port: number | undefined }[];
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly database: string | undefined;
  readonly tls: TlsMode;
  /** The certificates to trust, in PEM; undefined: those that Node trusts. */
  readonly ca: string | undefined;
  /** Without user and password. */
  readonly shown: string;
}

/** As libpq's `sslmode`. */
export type TlsMode = (typeof TLS_MODES)[number];

const TLS_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;

const FORM =
  /^postgres(?:ql)?:\/\/(?:(?<user>[^:@/?]*)(?::(?<password>[^@/?]*))?@)?(?<hosts>[^/?@]*)(?:\/(?<database>[^?]*))?(?:\?(?<query>.*))?$/;
const HOST = /^(?<host>\[[\da-f:]+\]|[^:[\]]*)(?::(?<port>\d{1,5}))?$/i;

/** The address is not one. Never has its text, which may have a password. */
export class CountsAddressWrong extends ExplainedError {
  constructor(fault: string) {
    super(`--counts ${fault}. Write it as postgres://USER@HOST/DATABASE; separate several hosts by commas.`);
  }
}

/** @throws CountsAddressWrong */
export function parseCountsAddress(text: string): CountsAddress {
  const found = FORM.exec(text)?.groups;
  if (!found) throw new CountsAddressWrong('is not an address of PostgreSQL');
  const options = new URLSearchParams(found['query']);
  const known = ['host', 'sslmode', 'sslrootcert', 'target_session_attrs'];
  const unknown = [...options.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw new CountsAddressWrong(`has the unknown option ${unknown}`);
  if ((options.get('target_session_attrs') ?? 'read-write') !== 'read-write')
    throw new CountsAddressWrong('needs a server that can be written: target_session_attrs=read-write');
  const mode = options.get('sslmode') ?? 'prefer';
  const tls = TLS_MODES.find((one) => one === mode);
  if (!tls) throw new CountsAddressWrong(`has another sslmode than ${TLS_MODES.join(', ')}`);
  const hosts = (options.get('host') ?? decoded(found['hosts']) ?? '').split(',').map(hostOf);
  const database = decoded(found['database']);
  return {
    ...{ hosts, database, tls, ca: certificates(options.get('sslrootcert')) },
    ...{ user: decoded(found['user']), password: decoded(found['password']) },
    shown: `postgres://${hosts.map(({ host = '', port }) => (port ? `${host}:${port}` : host)).join(',')}/${database ?? ''}`,
  };
}

function hostOf(text: string): CountsAddress['hosts'][number] {
  if (text.startsWith('/')) return { host: text, port: undefined }; // The folder of a Unix socket.
  const found = HOST.exec(text)?.groups;
  if (!found) throw new CountsAddressWrong(`has a host that cannot be read`);
  const host = found['host']?.replace(/^\[|\]$/g, '') || undefined;
  return { host, port: found['port'] === undefined ? undefined : Number(found['port']) };
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text ? decodeURIComponent(text) : undefined;
  } catch {
    throw new CountsAddressWrong('has a wrong percent-encoding');
  }
}

function certificates(path: string | null): string | undefined {
  if (path === null || path === 'system') return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CountsAddressWrong(`names sslrootcert, which cannot be read: ${messageOf(error)}`);
  }
}

/** What TLS checks of a server; false: no TLS. `require` checks the certificate only if one to trust is named, as libpq. */
export function tlsOptions({ tls, ca }: CountsAddress, host = ''): ConnectionOptions | false {
  if (tls === 'disable' || host.startsWith('/')) return false;
  if (tls === 'verify-full') return { ca, host };
  const isTrusted = tls === 'verify-ca' || ca !== undefined;
  return isTrusted ? { ca, checkServerIdentity: () => undefined } : { rejectUnauthorized: false };
}
