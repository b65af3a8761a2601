import { z } from 'zod';
import { detail, success, summary } from '../conformance/shapes.ts';

/** An article with the fields of its detail and of lists. */
export const wholeArticle = z.strictObject({
  ...summary.shape,
  content: detail.shape.content,
  seo: detail.shape.seo,
});

/** `data` of GET /changes. */
export const changes = success(
  z.strictObject({
    items: z.array(wholeArticle),
    removed: z.array(z.string()),
    lists: z.strictObject({ categories: z.boolean(), tags: z.boolean(), authors: z.boolean() }),
    cursor: z.string().nullable(),
    token: z.string().nullable(),
    whole: z.boolean(),
  }),
);

type Page = z.output<typeof changes>['data'];

/** An article, without its view count, which may change at any time. */
export type Article = Omit<Page['items'][number], 'views'>;

/** A copy of the blog, kept as docs/building-sites.md says: one request at a time. */
export class Copy {
  readonly articles = new Map<string, Article>();
  /** Where it is current; null before the first walk ended. */
  token: string | null = null;
  #cursor: string | null = null;
  /** What a whole walk has given so far. */
  #given = new Set<string>();

  /** Whether it stands between two pages. */
  get isWalking(): boolean {
    return this.#cursor !== null;
  }

  /** Takes the next page. @param ask gives `data` for a query string */
  async step(perPage: number, ask: (query: Record<string, string>) => Promise<unknown>): Promise<Page> {
    const place =
      this.#cursor !== null ? { cursor: this.#cursor } : this.token !== null ? { since: this.token } : {};
    const page = changes.parse(await ask({ ...place, per_page: String(perPage) })).data;
    // A walk is known by how its cursors and its token begin: another one has begun again.
    const walk = (page.cursor ?? page.token ?? '').slice(0, 26);
    if (this.#cursor?.slice(0, 26) !== walk) this.#given = new Set();
    for (const { views: _, ...article } of page.items) {
      this.articles.set(article.slug, article);
      this.#given.add(article.slug);
    }
    for (const slug of page.removed) {
      this.articles.delete(slug);
      this.#given.delete(slug);
    }
    if (page.cursor === null && page.whole) {
      for (const slug of this.articles.keys()) if (!this.#given.has(slug)) this.articles.delete(slug);
    }
    this.#cursor = page.cursor;
    this.token = page.token ?? this.token;
    return page;
  }
}
