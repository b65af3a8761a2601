import type { ObjectHash } from '../../contract/object-name.ts';
import { encodePage } from '../../contract/pages.ts';
import { PAGE_SIZE } from '../../contract/snapshot.ts';
import { searchedWords } from '../../contract/search/search-text.ts';
import { leftOutOutcome, type Outcome, type PagePost, type PostText, type Taxonomy } from './blog.ts';
import { extractExcerpt } from '../html/excerpt.ts';
import type { HtmlAdditions } from '../html/policy.ts';
import type { Sanitise, SanitisedBody } from '../html/sanitise.ts';
import { ArticleTooComplex } from '../html/work-limits.ts';
import type { ObjectWriter } from './object-writer.ts';
import { splitBatches } from './parallel.ts';
import { baseAddress, renderDetail, renderSummary } from './render.ts';
import type { Unit } from '../search/table-node.ts';
import { type NewEntry, unitEntries } from '../search/tree-writer.ts';
import { collectWords, type RunWords, type WordTable } from '../search/words.ts';
import type { Site } from './site.ts';
import type { Source } from './source.ts';

/** What a task is given, and what it makes. */
interface Tasks {
  /** The details of some posts, in the order given. */
  posts: { given: readonly number[]; made: Outcome[] };
  /** Pages with the summaries of posts, PAGE_SIZE to a page. */
  pages: { given: readonly PagePost[]; made: ObjectHash[] };
  /** The words of posts. */
  words: { given: readonly PagePost[]; made: RunWords };
  /** The entries of a unit of the search index. */
  suffixes: { given: { readonly table: WordTable; readonly unit: Unit }; made: NewEntry[] };
}

export type TaskKind = keyof Tasks;
export type Given<Kind extends TaskKind> = Tasks[Kind]['given'];
export type Made<Kind extends TaskKind> = Tasks[Kind]['made'];

/** Renders the objects with texts of posts: in this thread, or in several (render-threads.ts). */
export type Renderer = { readonly [Kind in TaskKind]: (given: Given<Kind>) => Promise<Made<Kind>> };

/** A renderer without threads: for few posts, and inside each thread. */
export class PlainRenderer implements Renderer {
  readonly #source: Source;
  readonly #taxonomy: Taxonomy;
  readonly #site: Site;
  readonly #html: HtmlAdditions;
  readonly #writer: ObjectWriter;

  constructor(source: Source, taxonomy: Taxonomy, site: Site, html: HtmlAdditions, writer: ObjectWriter) {
    this.#source = source;
    this.#taxonomy = taxonomy;
    this.#site = site;
    this.#html = html;
    this.#writer = writer;
  }

  async posts(ids: readonly number[]): Promise<Outcome[]> {
    if (ids.length === 0) return [];
    // Loaded on demand: most builds at a start have nothing to sanitise.
    const { sanitiser } = await import('../html/sanitise.ts');
    const sanitise = sanitiser(this.#html);
    return ids.map((id) => {
      const { text, fault, cut } = this.#source.readFullText(id, this.#taxonomy.tags);
      if (fault !== null) return leftOutOutcome(fault);
      const body = this.#sanitised(text, sanitise);
      if (body instanceof ArticleTooComplex) return leftOutOutcome(body.message);
      const hash = this.#writer.put('body', renderDetail(text, body.html));
      const excerpt = this.#site.excerpts && text.description === null ? extractExcerpt(body.html) : null;
      const removals = Object.keys(body.removals).length === 0 ? null : JSON.stringify(body.removals);
      return { body: hash, fault: null, cut, removals, excerpt };
    });
  }

  async pages(posts: readonly PagePost[]): Promise<ObjectHash[]> {
    return Array.from(splitBatches(posts, PAGE_SIZE), (page) => {
      const articles = page.map((post) => ({
        summary: renderSummary(this.#site, this.#read(post), this.#taxonomy),
        body: post.body,
      }));
      return this.#writer.put('lines', encodePage(articles));
    });
  }

  async words(posts: readonly PagePost[]): Promise<RunWords> {
    return collectWords(posts.map((post) => searchedWords(this.#read(post))));
  }

  async suffixes({ table, unit }: Given<'suffixes'>): Promise<NewEntry[]> {
    return unitEntries(table, unit);
  }

  /** Slow: most of the time of a build. */
  #sanitised(
    text: PostText & { readonly body: string },
    sanitise: Sanitise,
  ): SanitisedBody | ArticleTooComplex {
    try {
      return sanitise(text.body, baseAddress(this.#site, text, this.#taxonomy));
    } catch (error) {
      if (error instanceof ArticleTooComplex) return error;
      throw error;
    }
  }

  /** The texts of a post for lists, with the description of the API. */
  #read({ id, excerpt }: PagePost): PostText {
    const { text, fault } = this.#source.readListText(id, this.#taxonomy.tags);
    if (fault !== null) throw new Error(`Post ${id} was exported, but cannot be read: ${fault}`);
    return { ...text, description: text.description ?? excerpt };
  }
}
