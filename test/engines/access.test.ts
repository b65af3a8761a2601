/**
 * What must never be published, with sites rendered by their engines, and with a running Ghost and WordPress.
 */
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hugo, jekyll } from '../import/access/folders.ts';
import { caseOf, DUE, imported, type Row } from '../import/access/matrix.ts';
import type { Words } from '../import/access/words.ts';
import { isTested as hasEngine } from './installed.ts';
import {
  type GhostSystem,
  isTested,
  startGhost,
  startWordPress,
  type WordPressSystem,
} from './running-systems.ts';

for (const [engine, row] of [
  ['hugo', hugo],
  ['jekyll', jekyll],
] as const) {
  it.skipIf(!hasEngine(engine))(`a site rendered by ${engine} publishes what is public alone`, async () => {
    const { faults, hiddenLater } = caseOf(row(`${engine}, by the engine`, engine));
    expect([await faults(), await hiddenLater()]).toEqual([[], []]);
  });
}

type Fields = Readonly<Record<string, unknown>>;

interface Sent {
  readonly route: string;
  readonly words: Words;
  readonly fields: Fields;
}

/** @param fieldsOf more fields, which contain the words */
function sent(route: string, fields: Fields = {}, fieldsOf: (words: Words) => Fields = () => ({})) {
  return (words: Words): Sent => ({ route, words, fields: { ...fields, ...fieldsOf(words) } });
}

describe.skipIf(!isTested('ghost'))('a running Ghost', () => {
  let ghost: GhostSystem;
  beforeAll(async () => {
    ghost = await startGhost();
  });
  afterAll(() => ghost?.stop());

  const lexical = (text: string) => {
    const some = { nonMember: false, memberSegment: 'status:free,status:-free' };
    const card = {
      ...{ type: 'html', version: 1, html: `<p>${text}</p>` },
      visibility: { web: some, email: { memberSegment: 'status:free' } },
    };
    const root = { children: [card], direction: null, format: '', indent: 0, type: 'root', version: 1 };
    return JSON.stringify({ root });
  };

  function row(): Row<Sent> {
    const post = (fields: Fields = {}) => sent('posts', { status: 'published', ...fields });
    return {
      name: 'a running Ghost',
      open: post(),
      isBlindToScheduled: true,
      states: {
        draft: [post({ status: 'draft' })],
        scheduled: [post({ status: 'scheduled', published_at: DUE })],
        expired: { none: 'Ghost has no such date' },
        password: { none: 'Ghost has no posts with a password' },
        members: ['members', 'paid'].map((visibility) => post({ visibility })),
        part: [sent('posts', { status: 'published' }, ({ text }) => ({ lexical: lexical(text) }))],
        'no post': [sent('pages', { status: 'published' })],
        trash: { none: 'Ghost has no trash' },
      },
      async write(pieces) {
        for (const { route, words, fields } of pieces) {
          const one = {
            ...{ title: words.title, slug: words.slug, custom_excerpt: words.description, tags: [words.tag] },
            ...('lexical' in fields ? {} : { html: `<p>${words.text}</p>` }),
            ...fields,
          };
          await ghost.send('POST', `${route}/${'lexical' in fields ? '' : '?source=html'}`, {
            [route]: [one],
          });
        }
        return imported('ghost', ghost.url, { key: ghost.content });
      },
    };
  }

  it('publishes what is public', async () => {
    expect(await caseOf(row()).faults()).toEqual([]);
  });
});

describe.skipIf(!isTested('wordpress'))('a running WordPress', () => {
  let wordPress: WordPressSystem;
  beforeAll(async () => {
    wordPress = await startWordPress();
    // Like plug-ins for members: a shortcode, a field of the post, and a post left out.
    wordPress.plugIn(
      'members',
      `add_shortcode('members_only', fn($_, $text) => is_user_logged_in() ? $text : 'For members.');
       register_post_meta('post', 'members', ['show_in_rest' => true, 'single' => true, 'type' => 'string']);
       add_filter('the_content', fn($text) => is_user_logged_in() || get_post_meta(get_the_ID(), 'members', true) !== 'text' ? $text : 'For members.', 99);
       add_filter('rest_post_query', function ($query) {
         if (!is_user_logged_in()) $query['meta_query'] = ['relation' => 'OR', ['key' => 'members', 'compare' => 'NOT EXISTS'], ['key' => 'members', 'value' => 'post', 'compare' => '!=']];
         return $query;
       });`,
    );
  });
  afterAll(() => wordPress?.stop());

  const made = v.object({ id: v.number() });

  function row(): Row<Sent> {
    const post = (fields: Fields = {}) => sent('posts', { status: 'publish', ...fields });
    const due = { status: 'future', date: DUE.replace('Z', '') };
    const inside = ({ text }: Words) => ({ content: `Open.\n\n[members_only]${text}[/members_only]` });
    return {
      name: 'a running WordPress',
      open: post(),
      isBlindToScheduled: true,
      states: {
        draft: ['draft', 'pending', 'private'].map((status) => post({ status })),
        scheduled: [post(due)],
        expired: { none: 'plug-ins make a draft of it' },
        password: [post({ password: 'secret' }), post({ password: ' x' })],
        members: [post({ meta: { members: 'post' } })],
        part: [
          sent('posts', { status: 'publish' }, inside),
          sent('posts', due, inside),
          post({ meta: { members: 'text' } }),
        ],
        'no post': [sent('pages', { status: 'publish' })],
        trash: [post({ trashed: true })],
      },
      async write(pieces) {
        for (const { route, words, fields } of pieces) {
          const { trashed, ...rest } = fields;
          const tag = v.parse(made, await wordPress.send('POST', 'tags', { name: words.tag })).id;
          const { id } = v.parse(
            made,
            await wordPress.send('POST', route, {
              ...{ title: words.title, slug: words.slug, content: words.text, excerpt: words.description },
              ...{ ...(route === 'posts' ? { tags: [tag] } : {}), ...rest },
            }),
          );
          if (trashed === true) await wordPress.send('DELETE', `${route}/${id}`);
        }
        return imported('wordpress', wordPress.url);
      },
    };
  }

  it('publishes what is public', async () => {
    expect(await caseOf(row()).faults()).toEqual([]);
  });
});
