import { join } from 'node:path';
import type { ImportedPost } from '../../../import/imported-item.ts';
import { folderOf, onlyPostOf, type Read, readAll } from '../folder.ts';

/** Fields of an item by name without prefix; `null` omits a field. */
export interface ItemFields {
  readonly [field: string]: string | null;
}

const DEFAULTS: ItemFields = {
  title: 'One',
  link: 'https://blog.example/2020/one/',
  'dc:creator': 'ada',
  'content:encoded': 'Text.',
  'excerpt:encoded': '',
  'wp:post_id': '1',
  'wp:post_date': '2020-01-02 05:04:05',
  'wp:post_date_gmt': '2020-01-02 03:04:05',
  'wp:post_name': 'one',
  'wp:status': 'publish',
  'wp:post_type': 'post',
  'wp:post_password': '',
};

/** An `<item>`: a published post with the given changes. `more` is inserted verbatim. */
export function item(fields: ItemFields = {}, more = ''): string {
  const all = Object.entries({ ...DEFAULTS, ...fields });
  const elements = all.flatMap(([name, text]) => (text === null ? [] : `<${name}>${cdata(text)}</${name}>`));
  return `<item>\n${elements.join('\n')}\n${more}</item>\n`;
}

export function meta(key: string, value: string): string {
  return `<wp:postmeta><wp:meta_key>${cdata(key)}</wp:meta_key><wp:meta_value>${cdata(value)}</wp:meta_value></wp:postmeta>\n`;
}

export function term(domain: string, name: string, nicename = name.toLowerCase()): string {
  return `<category domain="${domain}" nicename="${nicename}">${cdata(name)}</category>\n`;
}

export function attachment(id: string, url: string, more = '', fields: ItemFields = {}): string {
  return item(
    {
      title: 'Image',
      'wp:post_id': id,
      'wp:post_type': 'attachment',
      'wp:status': 'inherit',
      'wp:attachment_url': url,
      ...fields,
    },
    more,
  );
}

/** A whole export. */
export function wxr(items: string, language = 'en-US'): string {
  return `<?xml version="1.0" encoding="UTF-8" ?>
<rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/">
<channel>
<title>A blog</title><link>https://blog.example</link><language>${language}</language>
<wp:wxr_version>1.2</wp:wxr_version><wp:base_blog_url>https://blog.example</wp:base_blog_url>
<wp:author><wp:author_login>ada</wp:author_login><wp:author_email>ada@blog.example</wp:author_email><wp:author_display_name><![CDATA[Ada L.]]></wp:author_display_name></wp:author>
<image><title>An image</title><link>https://elsewhere.example</link></image>
${items}</channel>
</rss>
`;
}

/** The importer's result for files with these contents, named a.xml, b.xml and so on. */
export function readExport(...contents: readonly (string | Buffer)[]): Promise<Read> {
  const names = contents.map((_, i) => `${String.fromCharCode(97 + i)}.xml`);
  const folder = folderOf(Object.fromEntries(names.map((name, i) => [name, contents[i] ?? ''])));
  const [first = '', ...others] = names.map((name) => join(folder, name));
  return readPaths([first, ...others]);
}

export const readPaths = (paths: readonly [string, ...string[]]): Promise<Read> =>
  readAll('wordpress', paths);

/** The post of an export with one item; fails if there is none. */
export function readPost(fields: ItemFields = {}, more = '', others = ''): Promise<ImportedPost> {
  return onlyPostOf(readExport(wxr(item(fields, more) + others)));
}

/** The body of a post with this content. */
export async function bodyOf(content: string, more = '', others = ''): Promise<string> {
  return (await readPost({ 'content:encoded': content }, more, others)).body;
}

/** CDATA as WordPress writes it: the end mark inside the text is split between two sections. */
function cdata(text: string): string {
  return `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
}
