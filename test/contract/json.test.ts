/**
 * Checks of parsed JSON, including objects of the wrong kind.
 */
import { describe, expect, it } from 'vitest';
import { type Directory, parseDirectory } from '../../contract/directory.ts';
import {
  absentOr,
  isNumber,
  isText,
  listOf,
  mapOf,
  nullOr,
  oneOf,
  pairOf,
  parseJson,
  recordOf,
} from '../../contract/json.ts';
import { encodeLines, Lines } from '../../contract/lines.ts';
import { decodeNames } from '../../contract/name-table.ts';
import { OBJECT_KINDS } from '../../contract/object-kinds.ts';
import { readBodyHashes } from '../../contract/pages.ts';
import { policyFor, DEFAULT_LIMITS } from '../../contract/policy.ts';
import { decodePositions } from '../../contract/sets.ts';
import { FORMAT } from '../../contract/snapshot.ts';

describe('a check', () => {
  const isPost = recordOf<{ slug: string; views?: number }>({ slug: isText, views: absentOr(isNumber) });

  it.each([
    ['a record', isPost, [null, [], 'a', {}, { slug: 1 }, { slug: 'a', views: null }]],
    ['a list', listOf(isText), [null, {}, 'ab', ['a', 1]]],
    ['a pair', pairOf(isText, isNumber), [['a'], [1, 'a'], ['a', 1, 2]]],
    ['one of some', oneOf(['a', 'b']), ['c', null, ['a']]],
    ['null or more', nullOr(isText), [undefined, 1]],
    ['a map', mapOf(isNumber), [null, [1], { a: '1' }, JSON.parse('{"__proto__":"2"}')]],
  ])('for %s rejects other values', (_what, isRight, values) => {
    for (const value of values) expect(isRight(value), JSON.stringify(value)).toBe(false);
  });

  it('describes invalid text', () => {
    expect(() => parseJson('{"slug":1}', isPost, 'a post')).toThrow(new SyntaxError('not a post'));
  });
});

describe('a directory', () => {
  const hash = 'a'.repeat(26);
  const whole: Directory = {
    ...{ format: FORMAT, posts: 1, viewed: 0, authors: 1, policy: policyFor(DEFAULT_LIMITS) },
    ...{ site: { name: 'A' }, overview: hash, categories: hash, tags: hash, files: [], pages: [hash] },
    ...{ page_times: [0], author_pages: [hash], views: [hash], popular: [], most_viewed: null },
    suffixes: [['a', hash]],
    names: { post: { inline: [['a', hash]] }, author: { shards: [hash] } },
  };

  it('may lack the table of a filter, and may have unknown fields', () => {
    expect(parseDirectory(JSON.stringify(whole))).toEqual(whole);
    const permissions = [...whole.policy.permissions, { name: 'new:read', opens: 'New', endpoints: [] }];
    const later = { ...whole, policy: { ...whole.policy, permissions }, more: 1 };
    expect(parseDirectory(JSON.stringify(later))).toEqual(later);
  });

  it.each<[string, unknown]>([
    ['format', FORMAT - 1],
    ['format', FORMAT + 1],
    ['site', undefined],
    ['files', undefined],
    ['page_times', undefined],
    ['most_viewed', undefined],
    ['suffixes', undefined],
    ['posts', '1'],
    ['policy', { limits: { day: {}, minute: 30 }, permissions: [] }],
    ['overview', 'A'],
    ['files', [{ path: '/' }]],
    ['pages', [1]],
    ['suffixes', [hash]],
    ['names', { post: { inline: [['a']] }, author: { shards: [hash] } }],
    ['names', { ...whole.names, with_tag: {} }],
  ])('is invalid with another %s', (name, value) => {
    const text = JSON.stringify({ ...whole, [name]: value });
    expect(() => parseDirectory(text)).toThrow(`not a directory of format ${FORMAT}`);
  });
});

const bytesOf = (text: string) => new TextEncoder().encode(text);

it.each<[string, (text: string) => unknown, string, readonly string[]]>([
  [
    'the columns of a page',
    (text) => readBodyHashes(new Lines(bytesOf(encodeLines([], JSON.parse(text))))),
    '{"bodies":[]}',
    ['{}', '{"bodies":{}}', '{"bodies":[null]}', '{"bodies":[[]]}'],
  ],
  ['a set', decodePositions, '[]', ['{}', '[null]', '["1"]', '[[]]', '']],
  [
    'an entry of a name table',
    (text) => decodeNames(new Lines(bytesOf(encodeLines([{ text }])))),
    '["a","b"]',
    ['{}', '["a"]', '["a",1]', '["a","b",null]', '["a","b",1,1]'],
  ],
  ['numbers', (text) => OBJECT_KINDS.numbers.decode(bytesOf(text)), '[1]', ['{}', '["1"]', '[null]', '"#$"']],
])('anything but %s is rejected as such', (_, decode, right, wrong) => {
  expect(() => decode(right)).not.toThrow();
  for (const text of wrong) expect(() => decode(text), text).toThrow(SyntaxError);
});
