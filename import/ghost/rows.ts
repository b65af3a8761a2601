import * as v from 'valibot';

/** Fields differ between Ghost's versions; an unexpected value counts as absent. */
export const text = v.optional(
  v.fallback(v.nullable(v.union([v.string(), v.pipe(v.number(), v.transform(String))])), null),
  null,
);
const anything = v.optional(v.unknown());

/** People's e-mail addresses are dropped. Until 1.0, pictures were in `image`, as those of posts. */
export const PERSON = v.object({ id: text, name: text, slug: text, profile_image: text, image: text });

export const TAG = v.object({ id: text, name: text, slug: text, visibility: text });
export type GhostTag = v.InferOutput<typeof TAG>;

/** A post as Ghost's API gives it. An export has the same fields, in several tables. */
export const POST = v.object({
  id: text,
  uuid: text,
  title: text,
  slug: text,
  html: text,
  url: text,
  /** The Content API shows only published posts, and omits it. */
  status: text,
  /** Absent before Ghost had members. A value that is not text is unknown, and so not `public`. */
  visibility: anything,
  email_only: anything,
  /** `post` or `page`, since 3.0. */
  type: text,
  /** 1 or true for a page, before. */
  page: anything,
  feature_image: text,
  image: text,
  custom_excerpt: text,
  canonical_url: text,
  meta_title: text,
  meta_description: text,
  published_at: text,
  created_at: text,
  updated_at: text,
  authors: v.fallback(v.array(PERSON), []),
  tags: v.fallback(v.array(TAG), []),
});
export type GhostPost = v.InferOutput<typeof POST>;

/** Tools write flags in many forms: `1`, `"1"`, `"true"`. */
export function isYes(flag: unknown): boolean {
  if (typeof flag === 'string') return !/^(?:|0|false)$/i.test(flag.trim());
  return flag !== undefined && flag !== null && flag !== false && flag !== 0;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Identifies each post at the next import: the first of UUID, id and slug that is unique in the file. The UUID comes
 * first: it survives a move to another Ghost, which assigns new ids. Ids of old versions count from 1 in every blog.
 */
export function identifyPosts(posts: readonly Pick<GhostPost, 'uuid' | 'id' | 'slug'>[]): string[] {
  const names = posts.map(({ uuid, id, slug }) => [
    uuid !== null && UUID.test(uuid) ? uuid.toLowerCase() : '',
    id === null ? '' : `id-${id}`,
    slug === null || slug === '' ? '' : `slug-${slug}`,
  ]);
  const counts = new Map<string, number>();
  for (const name of names.flat()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return names.map(
    (own) =>
      `ghost:${own.find((name) => name !== '' && counts.get(name) === 1) ?? own.filter(Boolean).join('/')}`,
  );
}
