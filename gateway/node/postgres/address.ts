import { Client } from 'pg';
import { ExplainedError } from '../../../common/errors.ts';
import { messageOf } from '../../../common/thrown.ts';

/** Where the counts are: `postgres://USER@HOST:PORT,HOST2/DATABASE?sslmode=verify-full`, as libpq reads it. */
export interface CountsAddress {
  /** One for each host, for `pg`. The writable one is used. */
  readonly urls: readonly string[];
  /** Without user, password and options. */
  readonly shown: string;
}

/** Not an address. The message never has its text, which may have a password. */
export class CountsAddressWrong extends ExplainedError {
  constructor(fault: string) {
    super(`--counts ${fault}. Write it as postgres://USER@HOST/DATABASE; separate several hosts by commas.`);
  }
}

/** The sslmode that also takes a server without TLS: the default, as in libpq. */
const PREFER = 'sslmode=prefer';

/** The options of libpq that are known here. */
const OPTIONS = new Set(
  'host sslmode sslrootcert sslcert sslkey target_session_attrs application_name user password options'.split(
    ' ',
  ),
);

/** Variables of libpq that `pg` does not read, or not as libpq does, and their options. It reads the others. */
const VARIABLES = {
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
};

const FORM =
  /^(?<scheme>postgres(?:ql)?:\/\/)(?<user>[^@/?]*@)?(?<hosts>[^/?@]*)(?<path>\/[^?]*)?(?:\?(?<options>.*))?$/;

/** @throws CountsAddressWrong */
export function parseCountsAddress(text: string): CountsAddress {
  const found = FORM.exec(text)?.groups;
  if (!found) throw new CountsAddressWrong('is not a PostgreSQL connection string');
  const { scheme = '', user = '', hosts = '', path = '/' } = found;
  const options = new URLSearchParams(found['options']);
  for (const [option, variable] of Object.entries(VARIABLES)) {
    const value = process.env[variable];
    if (value !== undefined && !options.has(option)) options.set(option, value);
  }
  const { sslmode = '', target_session_attrs: wanted = 'read-write' } = Object.fromEntries(options);
  if (wanted !== 'read-write')
    throw new CountsAddressWrong('has a target_session_attrs other than read-write');
  if (!/^(?:disable|prefer|require|verify-ca|verify-full|)$/.test(sslmode))
    throw new CountsAddressWrong('or PGSSLMODE has an unknown sslmode');
  const unknown = [...options.keys()].find((name) => !OPTIONS.has(name));
  if (unknown !== undefined) throw new CountsAddressWrong(`has the unknown option "${unknown}"`);
  options.delete('target_session_attrs');
  const query = [sslmode === '' ? PREFER : '', 'uselibpqcompat=true', String(options)]
    .filter(Boolean)
    .join('&');
  const urls = hosts.split(',').map((host) => `${scheme}${user}${host}${path}?${query}`);
  try {
    for (const connectionString of urls) new Client({ connectionString });
  } catch (error) {
    throw new CountsAddressWrong(`cannot be used (${messageOf(error)})`);
  }
  return { urls, shown: `${scheme}${hosts}${path}` };
}

/** The address of a server without TLS; null: it must have it. */
export function withoutTls(url: string): string | null {
  return url.includes(PREFER) ? url.replace(PREFER, 'sslmode=disable') : null;
}
