/** One `<item>` of an export: a post, a page, an attachment, or another kind of WordPress's posts. */
export interface Item {
  /** The text of each field, XML decoded, by name: `wp:post_name`. */
  readonly fields: ReadonlyMap<string, string>;
  /** In the order of the file. */
  readonly terms: readonly ItemTerm[];
  /** Custom fields; the first one of each key. */
  readonly meta: ReadonlyMap<string, string>;
  /** Whether it is larger than any post, so that only a part of it was read. */
  readonly isTooLarge: boolean;
}

/** `<category domain="post_tag" nicename="c-plus-plus">C++</category>` */
export interface ItemTerm {
  readonly domain: string;
  readonly nicename: string;
  readonly name: string;
}

/** The field's text, trimmed; empty if missing. */
export function textOf(item: Item, field: string): string {
  return item.fields.get(field)?.trim() ?? '';
}

/** The first of these custom fields with text, trimmed, or null. */
export function metaOf(item: Item, ...keys: readonly string[]): string | null {
  return keys.map((key) => item.meta.get(key)?.trim()).find(Boolean) ?? null;
}

/** The kind of item: `post`, `page`, `attachment`, or a plug-in's name. */
export function typeOf(item: Item): string {
  const type = textOf(item, 'wp:post_type');
  if (type !== '') return type;
  return textOf(item, 'wp:attachment_url') === '' ? 'post' : 'attachment';
}

/** Whether the item has no data at all. */
export function isEmpty({ fields, terms, meta }: Item): boolean {
  return terms.length === 0 && meta.size === 0 && [...fields.values()].every((text) => text.trim() === '');
}
