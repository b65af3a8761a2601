import { z } from 'zod';

// Exactly the fields of `interface.md`. Optional values are null, never absent.

const count = z.int().min(0);
const absoluteUrl = z.url({ protocol: /^https?$/ });

/** ISO 8601 with an offset from UTC. */
export const timestamp = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/);

export const summary = z.strictObject({
  slug: z.string().min(1),
  title: z.string(),
  description: z.string().nullable(),
  cover: absoluteUrl.nullable(),
  views: count,
  tags: z.array(z.string()),
  category: z.strictObject({ name: z.string(), slug: z.string() }).nullable(),
  author: z.strictObject({ name: z.string(), username: z.string() }).nullable(),
  url: absoluteUrl,
  published_at: timestamp,
});

export const detail = z.strictObject({
  slug: z.string().min(1),
  title: z.string(),
  content: z.string(),
  tags: z.array(z.string()),
  seo: z.strictObject({ meta_title: z.string().nullable(), meta_description: z.string().nullable() }),
  published_at: timestamp,
});

export const category = z.strictObject({
  name: z.string(),
  slug: z.string(),
  posts_count: count,
  url: absoluteUrl,
});

export const tag = z.strictObject({
  name: z.string(),
  slug: z.string(),
  posts_count: count,
  url: absoluteUrl,
});

export const author = z.strictObject({
  name: z.string(),
  username: z.string(),
  avatar: absoluteUrl.nullable(),
  posts_count: count,
});

const quota = z.strictObject({ limit: count, used: count, remaining: count });

export const me = z.strictObject({
  key: z.strictObject({ name: z.string(), prefix: z.string(), scopes: z.array(z.string()) }).nullable(),
  quota,
});

export const overview = z.looseObject({
  name: z.string().min(1),
  version: z.literal('v1'),
  endpoints: z.array(z.string()),
  permissions: z.array(
    z.strictObject({ name: z.string(), opens: z.string().min(1), endpoints: z.array(z.string()) }),
  ),
  limits: z.looseObject({}),
});

/** A success envelope with this data and no other field. */
export function success<T extends z.ZodType>(data: T) {
  return z.strictObject({ success: z.literal(true), data });
}

/**
 * The data of a success.
 *
 * @throws ZodError if it is not a success, or its data has another shape
 */
export function dataOf<T extends z.ZodType>(shape: T, json: unknown): z.output<T> {
  return shape.parse(z.strictObject({ success: z.literal(true), data: z.unknown() }).parse(json).data);
}

/** A paged list of these records. */
export function paged<T extends z.ZodType>(item: T) {
  return z.strictObject({
    items: z.array(item).max(50),
    meta: z.strictObject({
      page: z.int().min(1),
      per_page: z.int().min(1).max(50),
      last_page: z.int().min(1),
      total: count,
    }),
  });
}

export const failure = z.strictObject({
  success: z.literal(false),
  message: z.string().min(1),
  errors: z.record(z.string(), z.array(z.string().min(1)).min(1)).optional(),
});
