/** HTML that Ghost rendered, and what becomes of its cards. */
import { describe, expect, it } from 'vitest';
import { cleanHtml } from '../../import/ghost/cards.ts';
import { textCases } from '../text-cases.ts';

describe.each([...textCases(new URL('./ghost-html.txt', import.meta.url))])('%s', (_heading, cases) => {
  it.each(cases)('%s', (html = '', clean = '') => {
    expect(cleanHtml(`<p>before</p>${html}<p>after</p>`)).toBe(`<p>before</p>${clean}<p>after</p>`);
  });
});

it('a part for members without an end hides the rest', () => {
  expect(cleanHtml('a<!--kg-gated-block:begin nonMember:false-->secret, and not closed')).toBe('a');
});
