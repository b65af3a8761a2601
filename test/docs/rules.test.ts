/**
 * Numbers, lists and messages in the documents equal those of the code.
 */
import fastGlob from 'fast-glob';
import { describe, expect, it } from 'vitest';
import { HTML_POLICY } from '../../build/html/policy.ts';
import { ENDPOINTS, PER_PAGE_DEFAULT, PER_PAGE_MAX, SCOPES } from '../../contract/api.ts';
import { DEFAULT_LIMITS } from '../../contract/policy.ts';
import { MAX_QUERY_CHARACTERS, MAX_QUERY_TERMS } from '../../contract/search/search-text.ts';
import { OBJECT_KINDS } from '../../contract/object-kinds.ts';
import { TEXT_LIMITS } from '../../contract/text-limits.ts';
import { inlineCode, read, ROOT, section, tableRows } from './documents.ts';

const COMMENT_LINE = /^\s*(?:\/\*|\*|\/\/).*$/gm;

describe('README.md', () => {
  it('has the actual limits', () => {
    const limits = tableRows(section('README.md', '## Ask for articles')).map(([, day, minute]) => [
      Number(day),
      Number(minute),
    ]);
    const { day, minute } = DEFAULT_LIMITS;
    expect(limits).toEqual([day.address, day.user, day.admin].map((daily) => [daily, minute]));
  });
});

describe('docs/consumers/api.md', () => {
  const api = read('docs/consumers/api.md');

  it('has every endpoint, and no other', () => {
    const headings = [...api.matchAll(/^### GET (\S+)$/gm)].map(([, path]) => path);
    expect(headings).toEqual(Object.values(ENDPOINTS).map(({ path }) => path || '/'));
  });

  it('has the endpoints of each permission', () => {
    const rows = tableRows(section('docs/consumers/api.md', '## Keys'));
    const opened = rows.map(([scope = '', paths = '']) => [inlineCode(scope), inlineCode(paths)]);
    const expected = SCOPES.map((name) => [
      [name],
      Object.values(ENDPOINTS).flatMap(({ path, scope }) => (scope === name ? path : [])),
    ]);
    expect(opened).toEqual(expected);
  });

  it('has the bounds of parameters', () => {
    expect(api).toContain(`1 to ${PER_PAGE_MAX}, default ${PER_PAGE_DEFAULT}`);
    expect(api).toContain(`at most ${MAX_QUERY_CHARACTERS} characters and ${MAX_QUERY_TERMS} terms`);
  });
});

describe('docs/owners/publishing.md', () => {
  it('has the limits on texts', () => {
    const rows = tableRows(section('docs/owners/publishing.md', '### Limits on texts'));
    const { slug, name, title, description, address, body } = TEXT_LIMITS;
    const most = rows.map(([, said = '']) => Number(said.replace(/[^\d]/g, '')));
    expect(most).toEqual([slug, name, title, description, address, body]);
  });
});

describe('docs/contributors/snapshot.md', () => {
  it('explains every kind of object', () => {
    const kinds = [...read('docs/contributors/snapshot.md').matchAll(/^## `(\w+)`$/gm)].map(
      ([, kind]) => kind,
    );
    expect(new Set(kinds)).toEqual(new Set(Object.keys(OBJECT_KINDS)));
  });
});

describe('docs/contributors/sanitising.md', () => {
  const rows = new Map(
    tableRows(read('docs/contributors/sanitising.md')).map(([kind = '', what = '']) => [
      kind,
      inlineCode(what),
    ]),
  );
  const row = (...kinds: string[]) => kinds.flatMap((kind) => rows.get(kind) ?? []).sort();

  it('lists what the policy allows', () => {
    const { tags, formulas, embeds, frames, classes, styles, attributes } = HTML_POLICY;
    expect(row('structure', 'lists and tables', 'text', 'media')).toEqual([...tags].sort());
    expect(row('formulas')).toEqual([...formulas].sort());
    expect(row('frames')).toEqual([...embeds].sort());
    expect(row('classes')).toEqual([...classes].sort());
    expect(row('styles')).toEqual(Object.keys(styles).sort());
    expect(read('docs/contributors/sanitising.md')).toContain(`\`sandbox="${frames.sandbox}"\``);
    expect(row('attributes of any element')).toEqual(expect.arrayContaining(attributes['*']));
    expect(row('addresses')).toEqual(
      [...new Set([...HTML_POLICY.schemes, ...HTML_POLICY.schemesOfImages])].sort(),
    );
  });
});

describe('docs/operators/troubleshooting.md', () => {
  it('explains only messages that exist', () => {
    const source = fastGlob
      .sync('{build,cli,common,contract,data,gateway,import}/**/*.{ts,mjs}', { cwd: ROOT })
      .map(read)
      .join('\n')
      .replace(COMMENT_LINE, '');
    const messages = tableRows(section('docs/operators/troubleshooting.md', '## Messages')).flatMap(
      ([message = '']) => inlineCode(message),
    );
    expect(messages.length).toBeGreaterThan(20);
    expect(messages.filter((message) => !source.includes(message))).toEqual([]);
  });
});
