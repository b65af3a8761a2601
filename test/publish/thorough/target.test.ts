import { describe, expect, test } from 'vitest';
import { describeTarget, parseTarget } from '../../../common/bucket/target.ts';

const R2 = 'https://0123456789abcdef.r2.cloudflarestorage.com';

describe('the address of a bucket', () => {
  test.each([
    ['s3://blog', R2, { endpoint: R2, bucket: 'blog', prefix: '' }, 's3://blog'],
    ['s3://blog/', R2, { endpoint: R2, bucket: 'blog', prefix: '' }, 's3://blog'],
    ['s3://blog/a', `${R2}/`, { endpoint: R2, bucket: 'blog', prefix: 'a/' }, 's3://blog/a'],
    ['s3://blog/a/b.c/', `${R2}/blog`, { endpoint: R2, bucket: 'blog', prefix: 'a/b.c/' }, 's3://blog/a/b.c'],
    [
      's3://a.b-c',
      'http://127.0.0.1:9/s3/x/',
      { endpoint: 'http://127.0.0.1:9/s3/x', bucket: 'a.b-c', prefix: '' },
      's3://a.b-c',
    ],
  ])('%s at %s', (to, endpoint, target, described) => {
    expect(parseTarget(to, endpoint)).toEqual(target);
    expect(describeTarget(parseTarget(to, endpoint))).toBe(described);
  });

  test.each([
    ['blog', R2],
    ['https://blog', R2],
    ['s3://', R2],
    ['s3://Blog', R2],
    ['s3://b', R2],
    ['s3://blog//a', R2],
    ['s3://blog/../a', R2],
    ['s3://blog/.', R2],
    ['s3://blog/a b', R2],
    ['s3://blog/a?x', R2],
    ['s3://blog/é', R2],
    ['s3://blog', 'account.r2.cloudflarestorage.com'],
    ['s3://blog', 'ftp://host'],
    ['s3://blog', 'https://key:secret@host'],
  ])('cannot be %s at %s', (to, endpoint) => {
    expect(() => parseTarget(to, endpoint)).toThrow('is not a bucket address');
  });
});
