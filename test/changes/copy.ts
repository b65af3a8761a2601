import { z } from 'zod';
import { createClient, OffprintError, type State, type Store } from '../../client/source/index.ts';
import { detail, success, summary, timestamp } from '../conformance/shapes.ts';

/** An article with the fields of its detail and of lists. */
export const wholeArticle = z.strictObject({
  ...summary.shape,
  content: detail.shape.content,
  seo: detail.shape.seo,
});

/** An item of GET /changes. */
export const changed = z.strictObject({
  ...wholeArticle.shape,
  updated_at: timestamp.nullable(),
  former_slugs: z.array(z.string()),
});

/** `data` of GET /changes. */
export const changes = success(
  z.strictObject({
    items: z.array(changed),
    removed: z.array(z.string()),
    lists: z.strictObject({ categories: z.boolean(), tags: z.boolean(), authors: z.boolean() }),
    cursor: z.string().nullable(),
    token: z.string().nullable(),
    whole: z.boolean(),
  }),
);

type Page = z.output<typeof changes>['data'];

/** An article without its view count, which can change at any time, and former slugs, which only this endpoint shows. */
export type Article = Omit<Page['items'][number], 'views' | 'former_slugs'>;

/** The article of an item. */
export function articleOf({ views: _, former_slugs: __, ...article }: Page['items'][number]): Article {
  return article;
}

/** A gateway's reply, with the snapshot that it names; empty: none. */
export interface Reply {
  readonly status: number;
  readonly snapshot: string;
  readonly header: (name: string) => string | null;
  readonly body: unknown;
}

/** A copy of the blog, updated by the client's `sync`, one request at a time. */
export class Copy {
  readonly articles = new Map<string, Article>();
  #state: State | null = null;
  readonly #store: Store = {
    load: () => this.#state,
    save: (state) => void (this.#state = state),
    put: (item) => void this.articles.set(item.slug, articleOf(changed.parse(item))),
    delete: (slug) => void this.articles.delete(slug),
    slugs: () => this.articles.keys(),
  };

  /** The token of the copy; null before the first walk ended. */
  get token(): string | null {
    return this.#state?.token ?? null;
  }

  /** Whether it is between two pages. */
  get isWalking(): boolean {
    return typeof this.#state?.cursor === 'string';
  }

  /**
   * Reads the next page. If the gateway does not know the cursor, the client begins again.
   *
   * @param ask answers a query string
   */
  async step(
    perPage: number,
    ask: (query: Record<string, string>) => Promise<Reply>,
  ): Promise<Page & { readonly snapshot: string; readonly hasBegunAgain: boolean }> {
    const replies: Reply[] = [];
    const fetch = async (url: string) => {
      if (replies.some(({ status }) => status === 200)) throw new Error('One page is enough.');
      const query = Object.fromEntries(new URL(url).searchParams);
      const reply = await ask({ ...query, per_page: String(perPage) });
      replies.push(reply);
      return Response.json(reply.body, { status: reply.status });
    };
    try {
      await createClient({ url: 'http://blog', fetch }).sync(this.#store);
    } catch (error) {
      // The client requests the next page.
      if (!(error instanceof OffprintError && replies.length > 0 && this.isWalking)) throw error;
    }
    const last = replies.at(-1);
    if (last?.status !== 200) throw new Error(`The client got no page: ${JSON.stringify(last)}`);
    return { ...changes.parse(last.body).data, snapshot: last.snapshot, hasBegunAgain: replies.length > 1 };
  }
}
