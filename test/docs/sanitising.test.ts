/** The page about sanitised HTML, and the policy. */
import { expect, it } from 'vitest';
import { HTML_POLICY } from '../../build/html/policy.ts';
import { read, tableRows } from './documents.ts';

const page = read('docs/contributors/sanitising.md');
const allowed = new Map(tableRows(page).map(([kind = '', text = '']) => [kind, text]));

/** What rows of the table name, in back quotes. */
function named(...kinds: readonly string[]): Set<string | undefined> {
  const text = kinds.map((kind) => allowed.get(kind) ?? '').join(' ');
  const headings = text.replace('`h1` to `h6`', '`h1` `h2` `h3` `h4` `h5` `h6`');
  return new Set([...headings.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
}

it('names every element, class, style and frame that is allowed, and no other', () => {
  const { tags, classes, styles, embeds } = HTML_POLICY;
  expect(named('structure', 'lists and tables', 'text', 'media')).toEqual(new Set(tags));
  expect(named('classes')).toEqual(new Set(classes));
  expect(named('styles')).toEqual(new Set(Object.keys(styles)));
  expect(named('frames')).toEqual(new Set(embeds));
});

it('names the attributes of any element, without those of formulas', () => {
  const ofFormulas = [
    'displaystyle',
    'mathbackground',
    'mathcolor',
    'mathsize',
    'mathvariant',
    'scriptlevel',
  ];
  const example = ['href', 'a'];
  expect(named('attributes')).toEqual(
    new Set([...HTML_POLICY.attributes['*'].filter((name) => !ofFormulas.includes(name)), ...example]),
  );
});

it('names the schemes that are not those of the HTML Standard, and what frames get', () => {
  const { schemes, schemesByTag, frames } = HTML_POLICY;
  const others = schemes.slice(schemes.indexOf('xmpp') + 1);
  expect(named('URLs')).toEqual(new Set([...others, ...(schemesByTag['img'] ?? [])]));
  for (const [name, value] of Object.entries(frames)) expect(page).toContain(`\`${name}="${value}"\``);
});
