/** One `<item>` of an export: a post, a page, an attachment, or anything else that WordPress keeps in its posts. */
export interface Item {
  /** The text of each field that is there, XML decoded, by the field's name: `wp:post_name`. */
  readonly fields: ReadonlyMap<string, string>;
  /** In the order of the file. */
  readonly terms: readonly ItemTerm[];
  /** Custom fields; of several with one key the first. */
  readonly meta: ReadonlyMap<string, string>;
  /** A field that is longer than any post, and was cut; null without one. */
  readonly tooLong: string | null;
}

/** `<category domain="post_tag" nicename="c-plus-plus">C++</category>` */
export interface ItemTerm {
  readonly domain: string;
  readonly nicename: string;
  readonly name: string;
}

/** The field's text, trimmed; empty where there is none. */
export function textOf(item: Item, field: string): string {
  return item.fields.get(field)?.trim() ?? '';
}

/** The first of these custom fields that holds some text, trimmed; null when none does. */
export function metaOf(item: Item, ...keys: readonly string[]): string | null {
  return keys.map((key) => item.meta.get(key)?.trim()).find(Boolean) ?? null;
}

/** What WordPress calls the kind of item: `post`, `page`, `attachment`, or a name that a plug-in gave. */
export function typeOf(item: Item): string {
  const type = textOf(item, 'wp:post_type');
  if (type !== '') return type;
  return textOf(item, 'wp:attachment_url') === '' ? 'post' : 'attachment';
}

/** Whether nothing at all is said of the item. */
export function isEmpty({ fields, terms, meta }: Item): boolean {
  return terms.length === 0 && meta.size === 0 && [...fields.values()].every((text) => text.trim() === '');
}
