import type { ObjectHash } from '../contract/object-name.ts';
import { encodePage } from '../contract/pages.ts';
import { encodeSegment } from '../contract/search-index.ts';
import { wordsOf } from '../contract/search-text.ts';
import type { PostOutcome, PostText, Taxonomy } from './blog.ts';
import type { ObjectWriter, Written } from './object-writer.ts';
import { renderDetail, renderSummary } from './render.ts';
import type { Site } from './site.ts';
import type { Source } from './source.ts';

/** Makes the objects that show texts: here, or in threads (render-threads.ts). */
export interface Renderer {
  /** The details of some posts, in the order given. */
  posts(ids: readonly number[]): Promise<PostOutcome[]>;
  /** A page of the summaries of some posts, which can all be exported. */
  page(ids: readonly number[]): Promise<ObjectHash>;
  /** A segment of the search index of some posts, which can all be exported; its parts. */
  segment(ids: readonly number[]): Promise<ObjectHash[]>;
  /** Ends it, and says what it added to the output. */
  close(): Promise<Written>;
}

/** A renderer without threads: for few posts, and inside each thread. */
export class PlainRenderer implements Renderer {
  readonly #source: Source;
  readonly #taxonomy: Taxonomy;
  readonly #site: Site;
  readonly #writer: ObjectWriter;

  constructor(source: Source, taxonomy: Taxonomy, site: Site, writer: ObjectWriter) {
    this.#source = source;
    this.#taxonomy = taxonomy;
    this.#site = site;
    this.#writer = writer;
  }

  async posts(ids: readonly number[]): Promise<PostOutcome[]> {
    return ids.map((id) => {
      const { text, fault } = this.#source.readWhole(id, this.#taxonomy.tags);
      if (fault !== null) return { hash: null, tagIds: '', fault };
      const hash = this.#writer.put('post', renderDetail(this.#site, text));
      return { hash, tagIds: text.tagIds, fault: null };
    });
  }

  async page(ids: readonly number[]): Promise<ObjectHash> {
    const summaries = ids.map((id) => renderSummary(this.#site, this.#read(id), this.#taxonomy));
    return this.#writer.put('page', encodePage(summaries));
  }

  async segment(ids: readonly number[]): Promise<ObjectHash[]> {
    const words = ids.map((id) => searchedWords(this.#read(id)));
    return encodeSegment(words).map((part) => this.#writer.put('search', part));
  }

  async close(): Promise<Written> {
    return this.#writer.written();
  }

  #read(id: number): PostText {
    const { text, fault } = this.#source.readText(id, this.#taxonomy.tags);
    if (fault !== null) throw new Error(`Post ${id} was exported, but cannot be read: ${fault}`);
    return text;
  }
}

/** The distinct words in which a search looks: of the title, the description and each tag. */
export function searchedWords({
  title,
  description,
  tags,
}: Pick<PostText, 'title' | 'description' | 'tags'>): Set<string> {
  const words = new Set(wordsOf(title));
  if (description !== null) for (const word of wordsOf(description)) words.add(word);
  for (const tag of tags) for (const word of wordsOf(tag)) words.add(word);
  return words;
}
