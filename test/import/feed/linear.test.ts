import { describe, expect, it } from 'vitest';
import { boundProcessorTime } from '../../processor-time.ts';
import { atom, entry, item, jsonFeed, readText, rss } from './feed.ts';

/** Megabytes of opening tags without ends: work that grows with the square of the length hardly ends. */
const filled = (piece: string, size = 1_000_000) => piece.repeat(Math.ceil(size / piece.length));

boundProcessorTime(20);

describe('feeds take time in proportion to their length', () => {
  it.each([
    ['open elements', atom(filled('<a>'))],
    ['namespaces in one another', atom(filled('<a xmlns:b="http://www.w3.org/2005/Atom">'))],
    [
      'namespaces of one element',
      atom(
        `<a ${Array.from({ length: 20_000 }, (_, i) => `xmlns:a${i}="u"`).join(' ')}>${filled('<b xmlns:c="u"/>')}</a>`,
      ),
    ],
    ['entries without an end', atom(filled('<entry><id>a</id>'))],
    ['elements of one entry', atom(entry(filled('<a/>')))],
    ['XHTML in itself', atom(entry(`<content type="xhtml">${filled('<b>')}`))],
    ['sections without an end', atom(entry(filled('<![CDATA[')))],
    ['entities', atom(entry(`<content>${filled('&amp;')}${filled('&')}</content>`))],
    [
      'addresses in a text',
      rss(
        item(
          `<content:encoded xml:base="https://a.example/"><![CDATA[${filled('<a href="')}]]></content:encoded>`,
        ),
      ),
    ],
    [
      'attributes of an element',
      atom(entry(`<content xml:base="https://a.example/" type="html">${filled('&lt;a href="x" ')}`)),
    ],
    [
      'lines of a feed',
      rss(item(`<content:encoded><![CDATA[${filled('<p>The post <a ')}]]></content:encoded>`)),
    ],
    ['blank lines', jsonFeed([{ content_html: '', content_text: `a${filled('\n \t')}b` }])],
    ['spaces in a title', jsonFeed([{ title: `a${' '.repeat(1_000_000)}b` }])],
    ['a date', jsonFeed([{ date_published: filled('2020-01-') }])],
  ])('%s', async (_what, content) => {
    expect((await readText(content)).items.length).toBeGreaterThan(0);
  });
});
