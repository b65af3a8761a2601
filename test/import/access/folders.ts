import { rmSync } from 'node:fs';
import type { FormatName } from '../../../import/format-names.ts';
import { addFiles, folderOf } from '../folder.ts';
import { type Case, caseOf, imported, type Row, statesOf } from './matrix.ts';
import type { Words } from './words.ts';

/** Paths and texts of the files of one post. */
type Files = Readonly<Record<string, string>>;

/** A page with front matter in YAML. @param more other lines of it */
function yamlPage(words: Words, more = '', date = ''): string {
  return `---
title: ${words.title}
${date === 'none' ? '' : `date: ${date || '2024-01-02'}`}
description: ${words.description}
tags: [${words.tag}]
author: ${words.author}
${more}
---
${words.text}
`;
}

/** The same in TOML, as a draft. */
function tomlDraft(words: Words): string {
  return `+++
draft = true
title = "${words.title}"
date = 2024-01-02
description = "${words.description}"
authors = ["${words.author}"]
[taxonomies]
tags = ["${words.tag}"]
+++
${words.text}
`;
}

/** @param site files that every blog of this engine has */
function folderRow(name: string, format: FormatName, openAt: string, site: Files): Row<Files> {
  const fileAt =
    (path: string, more?: string, date?: string) =>
    (words: Words): Files => ({ [path.replace('SLUG', words.slug)]: yamlPage(words, more, date) });
  return {
    name,
    open: fileAt(openAt),
    states: statesOf(format, fileAt),
    hasOwnClock: format !== 'markdown',
    isBlindToScheduled: format !== 'markdown',
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

export const JEKYLL: Case = caseOf(
  folderRow('jekyll, by the engine', 'jekyll', '_posts/2024-01-02-SLUG.md', {
    '_config.yml':
      'title: A blog\nurl: https://blog.example\nexclude: [_posts/2024-01-02-excluded.md, kept/]\n',
    // A post that lists all posts, except those that its engine does not exclude itself.
    '_posts/2024-02-02-all.md': `---
title: All
---
{% for p in site.posts %}{% unless p.title == 'All' or p.draft or p.password or p.expiryDate %}
{{ p.title }} {{ p.description }} {{ p.tags }} {{ p.content }} {{ p.excerpt }}
{% endunless %}{% endfor %}`,
  }),
);

export const HUGO: Case = caseOf(
  folderRow('hugo, by the engine', 'hugo', 'content/posts/SLUG.md', {
    'hugo.toml':
      'baseURL = "https://blog.example/"\ntitle = "A blog"\nignoreFiles = ["\\\\.internal\\\\.md$", "/kept/"]\n',
    'content/posts/all.md': '---\ntitle: All\ndate: 2024-02-02\n---\n{{< titles >}}',
    'layouts/shortcodes/titles.html':
      '{{ range where site.RegularPages "Section" "posts" }}{{ .Title }} {{ .Description }} {{ .Params.tags }} {{ if ne .Title "All" }}{{ .Content }}{{ end }}{{ end }}',
    'content/posts/hidden/_index.md': '---\ntitle: Hidden\ncascade: {draft: true}\n---\n',
  }),
);

const MARKDOWN = folderRow('front matter of any engine', 'markdown', 'posts/SLUG.md', {});

/** test/import/markdown.txt has all words for a state. */
export const ANY_ENGINE: Case = caseOf({
  ...MARKDOWN,
  states: {
    ...MARKDOWN.states,
    draft: [
      ...(MARKDOWN.states.draft ?? []),
      (words) => ({ [`posts/${words.slug}.md`]: `\uFEFF\n \n${yamlPage(words, 'draft: true')}` }),
      (words) => ({ [`posts/${words.slug}.md`]: tomlDraft(words) }),
    ],
  },
});
