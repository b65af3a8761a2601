import { expect, onTestFinished, test, vi } from 'vitest';
import { CountsAddressWrong, parseCountsAddress, withoutTls } from '../../gateway/node/postgres/address.ts';

test('several hosts have an address each, and none is shown with its user', () => {
  const { urls, shown } = parseCountsAddress(
    'postgresql://me:se%40cret@one:5433,[::1]:5434,two/counts?sslmode=verify-full&target_session_attrs=read-write',
  );
  const options = 'uselibpqcompat=true&sslmode=verify-full';
  expect(urls).toEqual([
    `postgresql://me:se%40cret@one:5433/counts?${options}`,
    `postgresql://me:se%40cret@[::1]:5434/counts?${options}`,
    `postgresql://me:se%40cret@two/counts?${options}`,
  ]);
  expect(shown).toBe('postgresql://one:5433,[::1]:5434,two/counts');
  expect(urls.map(withoutTls)).toEqual([null, null, null]);
});

test('variables of libpq hold where the address says nothing else', () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('PGSSLMODE', 'verify-full');
  vi.stubEnv('PGSSLROOTCERT', import.meta.filename);
  const [url = ''] = parseCountsAddress('postgres://db/counts').urls;
  expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
    sslmode: 'verify-full',
    sslrootcert: import.meta.filename,
  });
  expect(withoutTls(url)).toBeNull();
  expect(parseCountsAddress('postgres://db/counts?sslmode=disable').urls[0]).toContain('sslmode=disable');
  vi.stubEnv('PGSSLMODE', 'on');
  expect(() => parseCountsAddress('postgres://db/counts')).toThrow('PGSSLMODE');
});

test.each([
  'postgres://db/counts',
  'postgres://me@/counts?host=/run/postgresql',
  'postgres://db/c?sslmode=prefer',
])('%s also takes a server without TLS', (text) => {
  const [url = ''] = parseCountsAddress(text).urls;
  expect(url).toContain('sslmode=prefer');
  expect(withoutTls(url)).toContain('sslmode=disable');
});

test.each([
  'mysql://db/counts',
  'db.example',
  'postgres://me:secret@db/counts?target_session_attrs=any',
  'postgres://me:secret@db/counts?sslmode=on',
  'postgres://me:secret@db/counts?sslmod=verify-full',
  'postgres://me:secret@db/counts?sslmode=verify-ca',
  'postgres://me:secret@db/counts?sslrootcert=/nowhere/certificates.pem',
  'postgres://me:secret@d]b/counts',
])('%s is refused, without its password', (text) => {
  const parse = () => parseCountsAddress(text);
  expect(parse).toThrow(CountsAddressWrong);
  expect(parse).toThrow(/^--counts (?!.*secr).*postgres:\/\/USER@HOST\/DATABASE/);
});
