import { expect, test } from 'vitest';
import { CountsAddressWrong, parseCountsAddress, tlsOptions } from '../../gateway/node/postgres/address.ts';

interface Parsed {
  readonly hosts: readonly (readonly [host: string | undefined, port: number | undefined])[];
  readonly password?: string;
  readonly database?: string;
  readonly shown: string;
}

test.each<readonly [string, Parsed]>([
  [
    'postgres://db.example/counts',
    { hosts: [['db.example', undefined]], database: 'counts', shown: 'postgres://db.example/counts' },
  ],
  [
    'postgresql://me:se%40cret@one:5433,[::1]:5434,two/counts?sslmode=verify-full&target_session_attrs=read-write',
    {
      hosts: [
        ['one', 5433],
        ['::1', 5434],
        ['two', undefined],
      ],
      ...{ password: 'se@cret', database: 'counts', shown: 'postgres://one:5433,::1:5434,two/counts' },
    },
  ],
  [
    'postgres://me@/counts?host=/run/postgresql',
    {
      hosts: [['/run/postgresql', undefined]],
      ...{ database: 'counts', shown: 'postgres:///run/postgresql/counts' },
    },
  ],
  ['postgres://', { hosts: [[undefined, undefined]], shown: 'postgres:///' }],
])('%s', (text, { hosts, password, database, shown }) => {
  const address = parseCountsAddress(text);
  expect(address.hosts.map(({ host, port }) => [host, port])).toEqual(hosts);
  expect([address.password, address.database, address.shown]).toEqual([password, database, shown]);
});

test.each([
  'mysql://db/counts',
  'db.example',
  'postgres://me:secret@db/counts?options=-c',
  'postgres://me:secret@db/counts?target_session_attrs=any',
  'postgres://me:secret@db/counts?sslmode=on',
  'postgres://me:secret@db/counts?sslrootcert=/nowhere/secrets.pem',
  'postgres://me:secret@d]b/counts',
  'postgres://me:secr%et@db/counts',
])('%s is refused, without its password', (text) => {
  const parse = () => parseCountsAddress(text);
  expect(parse).toThrow(CountsAddressWrong);
  expect(parse).toThrow(/^--counts (?!.*secret\b).*postgres:\/\/USER@HOST\/DATABASE/);
});

test.each([
  ['disable', false],
  ['prefer', { rejectUnauthorized: false }],
  ['require', { rejectUnauthorized: false }],
  ['verify-full', { host: 'db', ca: undefined }],
])('sslmode=%s', (mode, options) => {
  expect(tlsOptions(parseCountsAddress(`postgres://db/x?sslmode=${mode}`), 'db')).toEqual(options);
});
