/** Renders database records as JSON texts for clients. Pure: no files, no clock. */
import {
  type AuthorRecord,
  type Dates,
  type Detail,
  envelope,
  type Summary,
  type TermRecord,
} from '../../contract/api.ts';
import { API_NAME, API_VERSION, ENDPOINTS, PER_PAGE_DEFAULT, PER_PAGE_MAX } from '../../contract/api.ts';
import { encodeSummary } from '../../contract/records.ts';
import { endpointLabel, type Policy, publicLimits } from '../../contract/policy.ts';
import type { Author, PostText, Taxonomy, Term } from './blog.ts';
import { postAddress, type Site, termAddress, webAddress } from './site.ts';

/**
 * The object `post`: the answer of `GET /posts/{slug}`.
 *
 * @param content the body, sanitised
 */
export function renderDetail(post: PostText, content: string): string {
  const detail: Detail = {
    slug: post.slug,
    title: post.title,
    content,
    tags: post.tags,
    seo: { meta_title: post.metaTitle, meta_description: post.metaDescription },
    published_at: withNumericOffset(post.publishedAt),
  };
  return envelope(JSON.stringify(detail));
}

/** One record of a page of summaries. */
export function renderSummary(site: Site, post: PostText, taxonomy: Taxonomy): string {
  const { categories, authors } = taxonomy;
  const category = post.categoryId === null ? undefined : categories.get(post.categoryId);
  const author = post.authorId === null ? undefined : authors.get(post.authorId);
  const summary: Summary & Dates = {
    slug: post.slug,
    title: post.title,
    description: post.description,
    cover: webAddress(site, post.cover),
    tags: post.tags,
    category: category ? { name: category.name, slug: category.slug } : null,
    author: author ? { name: author.name, username: author.username } : null,
    url: buildAddress(site, post, taxonomy),
    published_at: withNumericOffset(post.publishedAt),
    updated_at: post.updatedAt === null ? null : withNumericOffset(post.updatedAt),
  };
  return encodeSummary(
    post.formerSlugs.length === 0 ? { ...summary } : { ...summary, former_slugs: post.formerSlugs },
  );
}

/** The object `categories` or `tags`: a complete answer. */
export function renderTerms(
  site: Site,
  kind: 'category' | 'tag',
  terms: readonly (Term & { readonly posts: number })[],
): string {
  const records = terms.map(({ name, slug, posts }): TermRecord => ({
    name,
    slug,
    posts_count: posts,
    url: termAddress(site, kind, slug),
  }));
  return envelope(JSON.stringify(records));
}

/** One record of a page of authors, and the `data` of the object `author`. */
export function renderAuthor(site: Site, author: Author, posts: number): string {
  const record: AuthorRecord = {
    name: author.name,
    username: author.username,
    avatar: webAddress(site, author.avatar),
    posts_count: posts,
  };
  return JSON.stringify(record);
}

/** The object `overview`: the answer of `GET /api/public/v1`, from the enforced policy and the site. */
export function renderOverview(policy: Policy, { name, url }: Pick<Site, 'name' | 'url'>): string {
  const limits = publicLimits(policy.limits);
  return envelope(
    JSON.stringify({
      name: API_NAME,
      version: API_VERSION,
      site: { name, url },
      endpoints: Object.values(ENDPOINTS).map(({ path }) => endpointLabel(path)),
      permissions: policy.permissions,
      limits: {
        daily: limits.day,
        per_minute: limits.minute,
        per_page: { default: PER_PAGE_DEFAULT, max: PER_PAGE_MAX },
      },
    }),
  );
}

/** The address of a post on the public site. */
function buildAddress(site: Site, post: PostText, { categories }: Taxonomy): string {
  const category = post.categoryId === null ? undefined : categories.get(post.categoryId);
  return postAddress(site, { ...post, category: category?.slug ?? null });
}

/**
 * The base of relative addresses in a post's text. A post's own address may be a page of another site (a canonical
 * URL), but its links are still relative to the blog.
 */
export function baseAddress(site: Site, post: PostText, taxonomy: Taxonomy): string {
  const address = buildAddress(site, post, taxonomy);
  const isForeign = URL.parse(address)?.origin !== URL.parse(site.url)?.origin;
  return isForeign ? buildAddress(site, { ...post, url: null }, taxonomy) : address;
}

/** The interface requires ISO 8601 with a UTC offset. Not every parser accepts `Z` as one, and ISO has no `-00:00`. */
function withNumericOffset(timestamp: string): string {
  return timestamp.replace(/(Z|-00:00)$/, '+00:00');
}
