import type { ObjectHash } from '../contract/object-name.ts';
import { encodePage, PAGE_SIZE } from '../contract/pages.ts';
import { encodeSegment } from '../contract/search-index.ts';
import { wordsOf } from '../contract/search-text.ts';
import type { PostOutcome, PostText, Taxonomy } from './blog.ts';
import type { Sanitise } from './html/sanitise.ts';
import { ArticleTooComplex } from './html/work-limits.ts';
import type { ObjectWriter, Written } from './object-writer.ts';
import { batchesOf } from './parallel.ts';
import { renderDetail, renderSummary } from './render.ts';
import type { Site } from './site.ts';
import type { Source } from './source.ts';

/** Makes the objects that show texts: here, or in threads (render-threads.ts). */
export interface Renderer {
  /** The details of some posts, in the order given. */
  posts(ids: readonly number[]): Promise<PostOutcome[]>;
  /** Pages of the summaries of some posts, which can all be exported; PAGE_SIZE to a page. */
  pages(ids: readonly number[]): Promise<ObjectHash[]>;
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
  readonly #sanitise: Sanitise;
  readonly #writer: ObjectWriter;

  constructor(source: Source, taxonomy: Taxonomy, site: Site, sanitise: Sanitise, writer: ObjectWriter) {
    this.#source = source;
    this.#taxonomy = taxonomy;
    this.#site = site;
    this.#sanitise = sanitise;
    this.#writer = writer;
  }

  async posts(ids: readonly number[]): Promise<PostOutcome[]> {
    return ids.map((id) => {
      const { text, fault, cut } = this.#source.readWhole(id, this.#taxonomy.tags);
      if (fault !== null) return { hash: null, tagIds: '', fault, cut: null };
      const detail = this.#detail(text);
      if (detail instanceof ArticleTooComplex)
        return { hash: null, tagIds: '', fault: detail.message, cut: null };
      return { hash: this.#writer.put('post', detail), tagIds: text.tagIds, fault: null, cut };
    });
  }

  async pages(ids: readonly number[]): Promise<ObjectHash[]> {
    return Array.from(batchesOf(ids, PAGE_SIZE), (page) => {
      const summaries = page.map((id) => renderSummary(this.#site, this.#read(id), this.#taxonomy));
      return this.#writer.put('page', encodePage(summaries));
    });
  }

  async segment(ids: readonly number[]): Promise<ObjectHash[]> {
    return encodeSegment(this.#words(ids)).map((part) => this.#writer.put('search', part));
  }

  /** One post's words at a time: a segment is large. */
  *#words(ids: readonly number[]): Iterable<string[]> {
    for (const id of ids) yield searchedWords(this.#read(id));
  }

  async close(): Promise<Written> {
    return this.#writer.written();
  }

  #detail(text: Parameters<typeof renderDetail>[2]): string | ArticleTooComplex {
    try {
      return renderDetail(this.#site, this.#sanitise, text, this.#taxonomy);
    } catch (error) {
      if (error instanceof ArticleTooComplex) return error;
      throw error;
    }
  }

  #read(id: number): PostText {
    const { text, fault } = this.#source.readText(id, this.#taxonomy.tags);
    if (fault !== null) throw new Error(`Post ${id} was exported, but cannot be read: ${fault}`);
    return text;
  }
}

/** The words in which a search looks: of the title, the description and each tag. */
export function searchedWords({
  title,
  description,
  tags,
}: Pick<PostText, 'title' | 'description' | 'tags'>): string[] {
  return [title, description ?? '', ...tags].flatMap(wordsOf);
}
