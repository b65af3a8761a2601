/**
 * The database of a running Ghost as a live source, compared with what Ghost shows while it writes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../../bench/generate/random.ts';
import { sanitise } from '../../build/html/sanitise.ts';
import { openForWriting } from '../../data/database.ts';
import { cleanHtml } from '../../common/content/ghost-html.ts';
import { runOffprint } from '../build/offprint-process.ts';
import { readPublished } from '../build/published-blog.ts';
import { folderUntil } from '../build/temporary-folder.ts';
import { type GhostSystem, isTested, startGhost } from './running-systems.ts';
import { SEED } from '../random-cases.ts';

const SOURCE = fileURLToPath(new URL('../../data/sources/ghost.sql', import.meta.url));
/** In every text for members, and in no other. */
const SECRET = 'secret';

const written = v.object({
  posts: v.tuple([v.object({ id: v.string(), updated_at: v.string(), status: v.string() })]),
});
type Written = v.InferOutput<typeof written>['posts'][0];

const term = v.object({ name: v.string(), slug: v.string(), visibility: v.string() });
const shownPosts = v.object({
  posts: v.array(
    v.object({
      slug: v.string(),
      title: v.string(),
      html: v.nullable(v.string()),
      url: v.string(),
      canonical_url: v.nullable(v.string()),
      custom_excerpt: v.nullable(v.string()),
      feature_image: v.nullable(v.string()),
      meta_title: v.nullable(v.string()),
      published_at: v.string(),
      primary_author: v.object({ name: v.string(), slug: v.string() }),
      tags: v.array(term),
    }),
  ),
});
const publishedSummary = v.object({
  slug: v.string(),
  title: v.string(),
  url: v.string(),
  cover: v.nullable(v.string()),
  description: v.nullable(v.string()),
  tags: v.array(v.string()),
  author: v.nullable(v.object({ name: v.string(), username: v.string() })),
  published_at: v.string(),
});
const publishedDetail = v.object({
  content: v.string(),
  seo: v.object({ meta_title: v.nullable(v.string()) }),
});
const publishedTag = v.object({ name: v.string(), slug: v.string(), url: v.string() });

/** Cards that Ghost renders; the last one is only for members. */
const CARDS = {
  root: {
    ...{ type: 'root', version: 1, direction: null, format: '', indent: 0 },
    children: [
      { type: 'toggle', version: 1, heading: 'Why?', content: '<p>So.</p>' },
      {
        ...{ type: 'callout', version: 1, calloutText: '<p>Note</p>', calloutEmoji: '💡' },
        backgroundColor: 'blue',
      },
      { type: 'button', version: 1, buttonText: 'Go', alignment: 'center', buttonUrl: '/about/' },
      {
        ...{ type: 'bookmark', version: 1, url: 'https://other.example/', caption: '' },
        metadata: { icon: '', title: 'Other', description: 'D', author: '', publisher: '', thumbnail: '' },
      },
      { type: 'html', version: 1, html: '<p onclick="x()">Own <a href="/x/">HTML</a></p>' },
      {
        ...{ type: 'html', version: 1, html: `<p>${SECRET}</p>` },
        visibility: {
          web: { nonMember: false, memberSegment: 'status:free,status:-free' },
          email: { memberSegment: '' },
        },
      },
    ],
  },
};

describe.skipIf(!isTested('ghost'))("a running Ghost's database", () => {
  let ghost: GhostSystem;
  let folder: string;
  let removeFolder: () => void;
  /** Existing posts, by title. */
  const posts = new Map<string, Written>();

  const make = async (fields: Readonly<Record<string, unknown>> & { title: string }) => {
    const query = 'lexical' in fields ? '' : '?source=html';
    const answer = await ghost.send('POST', `posts/${query}`, {
      posts: [{ status: 'published', html: `<p>Text of ${fields.title}</p>`, ...fields }],
    });
    posts.set(fields.title, v.parse(written, answer).posts[0]);
  };
  const edit = async (title: string, fields: object, query = 'source=html') => {
    const { id, updated_at } = posts.get(title) ?? expect.fail(title);
    const answer = await ghost.send('PUT', `posts/${id}/?${query}`, { posts: [{ updated_at, ...fields }] });
    posts.set(title, v.parse(written, answer).posts[0]);
  };
  const build = async (source = SOURCE) => {
    const paths = ['--db', ghost.database, '--out', join(folder, 'out'), '--keys', join(folder, 'keys.db')];
    const config = ['--config', join(folder, 'offprint.json')];
    const { code, stderr } = await runOffprint(['build', '--source', source, ...paths, ...config]);
    expect(stderr).not.toMatch(/left out/);
    expect(code, stderr).toBe(0);
  };

  beforeAll(async () => {
    ghost = await startGhost();
    folder = folderUntil((remove) => (removeFolder = remove));
    writeFileSync(join(folder, 'offprint.json'), JSON.stringify({ site: { url: ghost.url } }));
    openForWriting(join(folder, 'keys.db')).close();
    await ghost.send('PUT', 'settings/', {
      settings: [
        { key: 'timezone', value: 'Europe/Madrid' },
        { key: 'outbound_link_tagging', value: false }, // Ghost adds `?ref=` to links when it shows them.
      ],
    });
    const authors = await twoAuthors(ghost);

    await make({
      ...{
        title: 'Everything',
        tags: ['C++', '#house', 'Introducción'],
        authors,
        custom_excerpt: 'In short',
      },
      ...{ feature_image: `${ghost.url}/content/images/a.png`, meta_title: 'For machines' },
      ...{ lexical: JSON.stringify(CARDS), published_at: '2024-07-01T22:30:00.000Z' },
    });
    await make({
      title: 'Elsewhere',
      canonical_url: 'https://other.example/b/',
      html: '<p><a href="/c/">c</a></p>',
    });
    await make({
      title: 'Own address',
      canonical_url: `${ghost.url}/somewhere/`,
      authors: authors.toReversed(),
    });
    for (let nr = 0; nr < 12; nr += 1) await make({ title: `Post ${nr}`, tags: [`Tag ${nr % 3}`] });
    const hidden = { html: `<p>${SECRET}</p>` };
    const tiers = v.parse(
      v.object({ tiers: v.array(v.object({ id: v.string(), type: v.string() })) }),
      await ghost.send('GET', 'tiers/'),
    ).tiers;
    await make({ title: 'Members', visibility: 'members', ...hidden });
    await make({ title: 'Paid', visibility: 'paid', ...hidden });
    await make({
      ...{ title: 'Tiers', visibility: 'tiers', ...hidden },
      tiers: tiers.filter(({ type }) => type === 'paid'),
    });
    await make({ title: 'Draft', status: 'draft', ...hidden });
    await make({ title: 'Later', status: 'scheduled', published_at: '2090-01-01T00:00:00.000Z', ...hidden });
    // No mail is sent here, so the post stays scheduled.
    await make({ title: 'Mail', status: 'draft', email_only: true, ...hidden });
    await edit(
      'Mail',
      { status: 'scheduled', email_only: true, published_at: '2090-01-01T00:00:00.000Z' },
      'newsletter=default-newsletter&email_segment=all',
    );
    expect([...posts.values()].filter(({ status }) => status === 'scheduled')).toHaveLength(2);
  });
  afterAll(async () => {
    await ghost?.stop();
    removeFolder?.();
  });

  it(`is published as Ghost shows it, after any writes during builds (seed ${SEED})`, async () => {
    const random = new Random(SEED, 1);
    let [isWritten, isOver, builds] = [false, false, 0];
    const building = (async () => {
      for (; !isWritten || builds < 3; builds += 1) {
        await build();
        expect(JSON.stringify(readPublished(join(folder, 'out')))).not.toContain(SECRET);
      }
    })().finally(() => (isOver = true));
    const writing = (async () => {
      for (let nr = 0; nr < 60 && !isOver; nr += 1) await write(random, nr);
      isWritten = true;
    })();
    await Promise.all([building, writing]);

    await build();
    expect(published()).toEqual(await shown());
    expect(published().posts).not.toEqual([]); // How many are left is random.
  });

  it('can be written to while views take longer than Ghost waits', async () => {
    // Reading takes a dozen seconds in total; Ghost's writes fail after five.
    const slow = join(folder, 'slow.sql');
    const counting = `(WITH RECURSIVE n (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < 2e7) SELECT max(n) FROM n)`;
    const views = readFileSync(SOURCE, 'utf8');
    writeFileSync(slow, views.replace("WHERE key = 'title'", `WHERE key = 'title' AND ${counting} > 0`));
    expect(readFileSync(slow, 'utf8')).not.toBe(views);
    let isBuilt = false;
    const building = build(slow).finally(() => (isBuilt = true));
    const writing = (async () => {
      for (let nr = 0; !isBuilt; nr += 1) await edit('Everything', { title: `Everything ${nr}` });
    })();
    await Promise.all([building, writing]);
  });

  /** One of the writes that an author makes; fails if Ghost rejects it. */
  async function write(random: Random, nr: number): Promise<void> {
    const titles = [...posts.keys()].filter((title) => /^(?:Post|New)/.test(title));
    const title = titles[random.between(0, titles.length - 1)] ?? expect.fail('no post is left');
    const text = { html: `<p>Text ${nr} of ${title}</p>` };
    const writes = [
      () => edit(title, text),
      () => edit(title, { title: `Title ${nr}`, slug: `slug-${nr}` }),
      () => edit(title, { tags: [{ name: `Tag ${nr % 5}` }, { name: '#internal' }, { name: 'Notes' }] }),
      () => edit(title, { status: 'draft' }),
      () => edit(title, { status: 'published', visibility: 'public', ...text }),
      () => edit(title, { status: 'published', visibility: 'members', html: `<p>${SECRET}</p>` }),
      () => make({ title: `New ${nr}`, published_at: '2023-01-01T00:00:00.000Z' }),
      async () => {
        await ghost.send('DELETE', `posts/${posts.get(title)?.id}/`);
        posts.delete(title);
      },
    ];
    await writes[random.between(0, writes.length - 1)]?.();
  }

  /** What everybody sees in Ghost, from its Content API, in the form of `published`. */
  async function shown() {
    const query = `key=${ghost.content}&limit=100&include=tags,authors&formats=html&filter=visibility:public`;
    const reply = await fetch(`${ghost.url}/ghost/api/content/posts/?${query}`);
    const rows = v.parse(shownPosts, await reply.json()).posts;
    const tags = new Map<string, string>();
    const all = rows.map((post) => {
      const own = post.tags.filter(({ visibility }) => visibility === 'public');
      for (const { name, slug } of own) tags.set(name, `${ghost.url}/tag/${slug}/`);
      return {
        ...{ slug: post.slug, title: post.title, url: post.canonical_url ?? post.url },
        ...{ cover: post.feature_image, metaTitle: post.meta_title, excerpt: post.custom_excerpt },
        author: { name: post.primary_author.name, username: post.primary_author.slug },
        tags: own.map(({ name }) => name),
        at: Date.parse(post.published_at),
        content: sanitise(cleanHtml(post.html ?? ''), `${ghost.url}/${post.slug}/`),
      };
    });
    return { posts: sorted(all), tags: Object.fromEntries(tags) };
  }

  function published() {
    const { summaries, details, tags } = readPublished(join(folder, 'out'));
    const all = summaries.map((row, place) => {
      const { description, published_at, ...summary } = v.parse(publishedSummary, row);
      const { content, seo } = v.parse(publishedDetail, details[place]);
      const isExcerpt = description === 'In short'; // Others are taken from the text.
      return {
        ...{ ...summary, content, metaTitle: seo.meta_title, at: Date.parse(published_at) },
        excerpt: isExcerpt ? description : null,
      };
    });
    const named = v.parse(v.array(publishedTag), tags).map(({ name, url }) => [name, url]);
    return { posts: sorted(all), tags: Object.fromEntries(named) };
  }
});

function sorted<T extends { readonly slug: string }>(posts: readonly T[]): T[] {
  return posts.toSorted((a, b) => (a.slug < b.slug ? -1 : 1));
}

/** An invited author, and the owner, in this order. */
async function twoAuthors(ghost: GhostSystem): Promise<readonly { readonly id: string }[]> {
  const named = v.array(v.object({ id: v.string(), name: v.string() }));
  const { roles } = v.parse(v.object({ roles: named }), await ghost.send('GET', 'roles/?limit=all'));
  const email = 'bo@example.com';
  const role = roles.find(({ name }) => name === 'Author');
  await ghost.send('POST', 'invites/', { invites: [{ email, role_id: role?.id }] });
  const db = new Database(ghost.database, { readonly: true });
  const token = db.prepare('SELECT token FROM invites').pluck().get();
  db.close();
  await ghost.send('POST', 'authentication/invitation/', {
    invitation: [{ token, email, name: 'Bo', password: 'battery-9-horse-correct' }],
  });
  const { users } = v.parse(v.object({ users: named }), await ghost.send('GET', 'users/?limit=all'));
  return users.toSorted((a) => (a.name === 'Bo' ? -1 : 1)).map(({ id }) => ({ id }));
}
