import { expansionCounter } from '../../common/content/expansion.ts';
import { textOfHtml } from '../../common/content/html-text.ts';
import { element } from '../../common/content/ghost-cards.ts';
import { escapeHtml } from '../../common/content/text.ts';
import { renderCard } from './cards.ts';
import { headingIds } from './heading-ids.ts';
import { listOf, payloadOf, plainText } from './payload.ts';

/** Section and marker kinds, by their numbers in the format. */
const [MARKUP_SECTION, IMAGE_SECTION, LIST_SECTION, CARD_SECTION] = [1, 2, 3, 10];
const ATOM_MARKER = 1;

/** Elements that are allowed for sections and markups. */
const SECTIONS = /^(?:p|h[1-6]|blockquote|pull-quote|aside)$/;
const MARKUPS = /^(?:a|b|code|em|i|s|strong|sub|sup|u|del|mark)$/;

/**
 * HTML of a Mobiledoc, versions 0.2 and 0.3 (Ghost's editor from 1.0 to 4): sections of text with markups, lists,
 * images and cards. Empty paragraphs are removed.
 *
 * @param document parsed JSON
 * @param reportLoss is called with the kind of each unknown card
 * @see https://github.com/bustle/mobiledoc-kit/blob/main/MOBILEDOC.md
 */
export function renderMobiledoc(document: unknown, reportLoss: (what: string) => void): string {
  const headingId = headingIds();
  const counted = expansionCounter();
  const { version, markups, atoms, cards, sections } = partsOf(document);
  return sections
    .map((written) => counted(section(written)))
    .filter((html) => html !== '')
    .join('\n');

  function section(written: unknown): string {
    const [kind, first, second] = listOf(written);
    switch (kind) {
      case MARKUP_SECTION:
        return textSection(String(first), inline(second));
      case IMAGE_SECTION:
        return renderCard('image', { src: first }, reportLoss);
      case LIST_SECTION: {
        const tag = first === 'ol' ? 'ol' : 'ul';
        return element(
          tag,
          listOf(second)
            .map((item) => `<li>${inline(item)}</li>`)
            .join(''),
        );
      }
      case CARD_SECTION: {
        const [name, payload] = version === '0.2' ? [first, second] : listOf(cards[Number(first)]);
        return renderCard(typeof name === 'string' ? name : '', payloadOf(payload), reportLoss);
      }
      default:
        return '';
    }
  }

  function textSection(tag: string, content: string): string {
    if (!SECTIONS.test(tag)) return element('p', content);
    if (tag === 'aside' || tag === 'pull-quote') {
      return element('blockquote', content, ' class="kg-blockquote-alt"');
    }
    const id = tag.startsWith('h') ? headingId(textOfHtml(content)) : '';
    return element(tag, content, id === '' ? '' : ` id="${escapeHtml(id)}"`);
  }

  /** Each marker opens markups before its text and closes a number of the innermost ones after it. */
  function inline(markers: unknown): string {
    const open: string[] = [];
    const parts: string[] = [];
    for (const marker of listOf(markers)) {
      const [kind, opened, closed, value] = version === '0.2' ? [0, ...listOf(marker)] : listOf(marker);
      for (const index of listOf(opened)) {
        const { tag, html } = markup(markups[Number(index)]);
        open.push(tag);
        parts.push(html);
      }
      parts.push(kind === ATOM_MARKER ? atom(atoms[Number(value)]) : escapeHtml(plainText(value)));
      for (let count = Number(closed); count > 0 && open.length > 0; count--) parts.push(closing(open.pop()));
    }
    while (open.length > 0) parts.push(closing(open.pop()));
    return parts.join('');
  }
}

/** In 0.2, markers and sections are a pair, and sections contain the cards. */
function partsOf(document: unknown) {
  const { version, markups, atoms, cards, sections } = payloadOf(document);
  if (typeof version === 'string' && version.startsWith('0.2')) {
    const [marks, written] = listOf(sections);
    return {
      version: '0.2',
      markups: listOf(marks),
      atoms: [],
      cards: [],
      sections: listOf(written),
    } as const;
  }
  return {
    version: '0.3',
    markups: listOf(markups),
    atoms: listOf(atoms),
    cards: listOf(cards),
    sections: listOf(sections),
  } as const;
}

/** An unknown markup adds no element, and its text stays. */
function markup(written: unknown): { tag: string; html: string } {
  const [name, attributes] = listOf(written);
  const tag = MARKUPS.exec(String(name).toLowerCase())?.[0];
  if (tag === undefined) return { tag: '', html: '' };
  const values = listOf(attributes);
  const href = tag === 'a' ? values[values.indexOf('href') + 1] : undefined;
  return { tag, html: typeof href === 'string' ? `<a href="${escapeHtml(href)}">` : `<${tag}>` };
}

function closing(tag: string | undefined): string {
  return tag === undefined || tag === '' ? '' : `</${tag}>`;
}

/** Ghost has one atom: a line break within a paragraph. Other atoms become their text. */
function atom(written: unknown): string {
  const [name, text] = listOf(written);
  return name === 'soft-return' ? '<br>' : escapeHtml(plainText(text));
}
