import type { FormatName } from '../../../import/format-names.ts';
import { rmSync } from 'node:fs';
import { addFiles, folderOf } from '../folder.ts';
import { DUE, imported, type Make, type Row } from './matrix.ts';
import type { Words } from './words.ts';

/** Paths and texts of the files of one post. */
export type Files = Readonly<Record<string, string>>;

interface Page {
  /** Lines of front matter. */
  readonly more?: string;
  readonly date?: string;
}

/** A page with front matter in YAML. */
export function yamlPage(words: Words, { more = '', date = '2024-01-02' }: Page = {}): string {
  return `---
title: ${words.title}
date: ${date}
description: ${words.description}
tags: [${words.tag}]
author: ${words.author}
${more}
---
${words.text}
`;
}

/** The same without a date, unless `more` has one. */
function undated(words: Words, more = ''): string {
  return yamlPage(words, { more }).replace(/^date:.*\n/m, '');
}

/** The same in TOML. */
function tomlPage(words: Words, { more = '', date = '2024-01-02' }: Page = {}): string {
  return `+++
${more.startsWith('[') ? '' : more}
title = "${words.title}"
date = ${date}
description = "${words.description}"
authors = ["${words.author}"]
${more.startsWith('[') ? more : ''}
[taxonomies]
tags = ["${words.tag}"]
+++
${words.text}
`;
}

/** Files that editors leave next to a post. */
function leftovers(folder: string): Make<Files>[] {
  return [
    (name: string) => `.${name}.md`,
    (name: string) => `.${name}.md.swp`,
    (name: string) => `${name}.md~`,
    (name: string) => `${name}.md.bak`,
  ].map((nameOf) => (words) => ({ [`${folder}/${nameOf(words.slug)}`]: yamlPage(words) }));
}

/** @param site files that every blog of this engine has */
export function folderRow(
  name: string,
  format: FormatName,
  site: Files,
  { open, states }: Pick<Row<Files>, 'open' | 'states'>,
): Row<Files> {
  return {
    ...{ name, open, states },
    ...{ hasOwnClock: format !== 'markdown', isBlindToScheduled: format !== 'markdown' },
    write: (pieces) => {
      const all = (given: readonly Files[]): Files => Object.assign({}, site, ...given);
      const folder = folderOf(all(pieces));
      const rewrite = (later: readonly Files[]): void => {
        rmSync(folder, { recursive: true });
        addFiles(folder, all(later));
      };
      return imported(format, folder, {}, rewrite);
    },
  };
}

/** @param at the path of a post with this name */
function withFront(at: (slug: string) => string, ...lines: readonly string[]): Make<Files>[] {
  return lines.map((more) => (words: Words): Files => ({ [at(words.slug)]: yamlPage(words, { more }) }));
}

/** @param at the path of a post with this name */
function dated(at: (slug: string) => string, date = '2024-01-02'): Make<Files> {
  return (words) => ({ [at(words.slug)]: yamlPage(words, { date }) });
}

const JEKYLL_POST = (slug: string) => `_posts/2024-01-02-${slug}.md`;
/** A post that lists all posts, except those that its engine does not exclude itself. */
const JEKYLL_LIST = `---
title: All
---
{% for p in site.posts %}{% unless p.title == 'All' or p.draft or p.password or p.expiryDate %}
{{ p.title }} {{ p.description }} {{ p.tags }} {{ p.content }} {{ p.excerpt }}
{% endunless %}{% endfor %}`;

export const JEKYLL: Row<Files> = folderRow(
  'jekyll, by the engine',
  'jekyll',
  {
    '_config.yml':
      'title: A blog\nurl: https://blog.example\nexclude: [_posts/2024-01-02-excluded.md, kept/]\n',
    '_posts/2024-02-02-all.md': JEKYLL_LIST,
  },
  {
    open: dated(JEKYLL_POST),
    states: {
      draft: [
        (words) => ({ [`_drafts/${words.slug}.md`]: yamlPage(words) }),
        ...withFront(JEKYLL_POST, 'published: false', 'draft: true'),
      ],
      scheduled: [
        dated(JEKYLL_POST, DUE),
        (words) => ({ [`_posts/2090-07-01-${words.slug}.md`]: undated(words) }),
      ],
      expired: withFront(JEKYLL_POST, 'expiryDate: 2025-01-01'),
      password: withFront(JEKYLL_POST, 'password: secret'),
      'no post': [
        (words) => ({ [`${words.slug}.md`]: yamlPage(words) }),
        (words) => ({ [`_docs/${words.slug}.md`]: yamlPage(words) }),
        (words) => ({ [`kept/_posts/2024-01-02-${words.slug}.md`]: yamlPage(words) }),
        (words) => ({ '_posts/2024-01-02-excluded.md': yamlPage(words) }),
      ],
      trash: leftovers('_posts'),
    },
  },
);

const HUGO_POST = (slug: string) => `content/posts/${slug}.md`;

export const HUGO: Row<Files> = folderRow(
  'hugo, by the engine',
  'hugo',
  {
    'hugo.toml':
      'baseURL = "https://blog.example/"\ntitle = "A blog"\nignoreFiles = ["\\\\.internal\\\\.md$", "/kept/"]\n',
    'content/posts/all.md': '---\ntitle: All\ndate: 2024-02-02\n---\n{{< titles >}}',
    'layouts/shortcodes/titles.html':
      '{{ range where site.RegularPages "Section" "posts" }}{{ .Title }} {{ .Description }} {{ .Params.tags }} {{ if ne .Title "All" }}{{ .Content }}{{ end }}{{ end }}',
    'content/posts/hidden/_index.md': '---\ntitle: Hidden\ncascade: {draft: true}\n---\n',
  },
  {
    open: dated(HUGO_POST),
    states: {
      draft: [
        ...withFront(HUGO_POST, 'draft: true', 'Draft: yes'),
        (words) => ({ [`content/posts/hidden/${words.slug}.md`]: yamlPage(words) }),
      ],
      scheduled: [dated(HUGO_POST, DUE), ...withFront(HUGO_POST, `publishDate: ${DUE}`)],
      expired: withFront(HUGO_POST, 'expiryDate: 2025-01-01', 'unpublishDate: 2025-01-01'),
      'no post': [
        (words) => ({ [`content/${words.slug}.md`]: yamlPage(words) }),
        (words) => ({ [`content/posts/${words.slug}/_index.md`]: yamlPage(words) }),
        (words) => ({ [`archetypes/${words.slug}.md`]: yamlPage(words) }),
        (words) => ({ [`content/posts/${words.slug}.internal.md`]: yamlPage(words) }),
        (words) => ({ [`content/posts/kept/${words.slug}.md`]: yamlPage(words) }),
        ...withFront(HUGO_POST, '_build: {render: never, list: never}'),
      ],
      trash: leftovers('content/posts'),
    },
  },
);

const ANY_POST = (slug: string) => `posts/${slug}.md`;

const front = (...lines: readonly string[]) => withFront(ANY_POST, ...lines);

export const ANY_ENGINE: Row<Files> = folderRow(
  'front matter of any engine',
  'markdown',
  {},
  {
    open: dated(ANY_POST),
    states: {
      // test/import/markdown.test.ts has all words for it.
      draft: [
        ...front('draft: true', 'status: pending', 'publish: no'),
        (words) => ({ [ANY_POST(words.slug)]: `\uFEFF\n \n${yamlPage(words, { more: 'draft: true' })}` }),
        (words) => ({ [ANY_POST(words.slug)]: tomlPage(words, { more: 'draft = true' }) }),
        (words) => ({ [`drafts/${words.slug}.md`]: yamlPage(words) }),
      ],
      scheduled: [
        dated(ANY_POST, DUE),
        ...front(`publishDate: ${DUE}`),
        (words) => ({
          [`posts/2090-07-01-${words.slug}.md`]: undated(words),
        }),
      ],
      expired: front('expiryDate: 2025-01-01', 'unpublish_date: 2026-06-01T00:00:00Z'),
      password: front('password: secret'),
      members: front('visibility: members', 'private: true'),
      'no post': front('hidden: true', 'archived: true', 'build: {render: never}'),
      trash: [...leftovers('posts'), ...front('status: trash', 'status: deleted')],
    },
  },
);
