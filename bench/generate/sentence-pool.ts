import type { Language } from './languages.ts';
import { Random } from './random.ts';
import { drawWords, sentence } from './text.ts';

/**
 * Bodies are not searched, so their sentences may repeat. Each language has a pool of ready sentences, and
 * paragraphs combine them. So 100,000 bodies take only seconds.
 */
const POOL = 3000;

const pools = new Map<string, readonly string[]>();

/** A sentence in HTML, sometimes with a link, emphasis or code. */
export function pooledSentence(language: Language, random: Random): string {
  let pool = pools.get(language.code);
  if (pool === undefined) {
    pool = makePool(language);
    pools.set(language.code, pool);
  }
  return random.pick(pool);
}

function makePool(language: Language): string[] {
  const random = new Random(language.code.charCodeAt(0), language.code.charCodeAt(1), 301);
  return Array.from({ length: POOL }, () => {
    const words = drawWords(language, random, random.between(6, 22));
    const plain = sentence(language, random, words);
    if (!random.chance(0.16)) return plain;
    // Only the last word or two are marked up, so the capital and the commas stay in place.
    const marked = words.slice(-random.between(1, 2)).join(language.space);
    const at = plain.lastIndexOf(marked);
    if (at < 1) return plain;
    return plain.slice(0, at) + inline(marked, random) + plain.slice(at + marked.length);
  });
}

function inline(text: string, random: Random): string {
  switch (random.below(6)) {
    case 0:
      return `<em>${text}</em>`;
    case 1:
      return `<strong>${text}</strong>`;
    case 2:
      return `<code>${text}</code>`;
    case 3:
      return `<a href="https://example.org/${random.below(10_000)}" target="_blank" rel="noopener">${text}</a>`;
    case 4:
      return `<a href="/posts/${random.below(10_000)}?ref=body&amp;n=${random.below(10)}" title="&quot;${text}&quot;">${text}</a>`;
    default:
      return `<a href="https://docs.example.net/reference#section-${random.below(100)}">${text}</a>`;
  }
}
