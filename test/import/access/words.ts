import { createHash } from 'node:crypto';

/** The words of a post, unique so that every trace of it can be found. */
export interface Words {
  readonly slug: string;
  readonly title: string;
  readonly text: string;
  readonly description: string;
  readonly tag: string;
  readonly author: string;
}

/** @param name unique in its blog: `draft 2` */
export function wordsOf(name: string): Words {
  const word = (field: string) => {
    const hash = createHash('sha256').update(`${name} ${field}`).digest('hex').slice(0, 14);
    // Letters only, so that no format gives them a meaning.
    return hash.replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '');
  };
  return {
    slug: word('slug'),
    title: word('title'),
    text: word('text'),
    description: word('description'),
    tag: word('tag'),
    author: word('author'),
  };
}

/** The remainder of a word in an index with shared prefixes. */
export function endOf(word: string): string {
  return word.slice(-9);
}
