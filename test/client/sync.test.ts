/**
 * How `sync` handles unusual pages. test/changes/thorough/model.test.ts checks that a copy equals the blog.
 */
import { describe, expect, it } from 'vitest';
import type { Changes, State, Store } from '../../client/source/index.ts';
import { scripted, success } from './scripted.ts';

const NO_LISTS = { categories: false, tags: false, authors: false };

/** A page with articles of these slugs. */
function page(slugs: readonly string[], rest: Partial<Changes>): Response {
  const items = slugs.map((slug) => ({ slug }));
  return success({ removed: [], lists: NO_LISTS, cursor: null, token: null, whole: false, ...rest, items });
}

/** The answer to a cursor or token that the API does not know. */
function unknown(): Response {
  return Response.json({ success: false, message: 'Start again without a cursor.' }, { status: 400 });
}

/** The state after a sync, which has a token. */
const since = (token: string | null): State => ({ token, cursor: null, changed: [], removed: [] });
/** The state in a walk through the whole blog. */
const at = (cursor: string): State => ({ token: null, cursor, changed: [], removed: [] });

/** A store in memory that serialises values as JSON. */
function memory(slugs: readonly string[] = [], state: State | null = null) {
  const there = new Set(slugs);
  const saved: { readonly slugs: readonly string[]; readonly state: State }[] = [];
  const store: Store = {
    load: async () => saved.at(-1)?.state ?? state,
    save: async (next) => void saved.push({ slugs: [...there], state: JSON.parse(JSON.stringify(next)) }),
    put: async ({ slug }) => void there.add(slug),
    delete: async (slug) => void there.delete(slug),
    slugs: async () => there,
  };
  return { store, there, saved };
}

const asked = (sent: readonly { readonly url: string }[]) =>
  sent.map(({ url }) => Object.fromEntries(new URL(url).searchParams));

describe('a sync', () => {
  it('reads the whole blog, removes what the blog lacks, and saves its progress after each page', async () => {
    const { store, there, saved } = memory(['gone', 'b']);
    const { client, sent } = scripted([
      page(['a', 'b'], { cursor: 'w1', whole: true }),
      page(['c'], { token: 'wt', whole: true }),
    ]);
    expect(await client.sync(store)).toEqual({
      changed: ['a', 'b', 'c'],
      removed: ['gone'],
      lists: NO_LISTS,
      requests: 2,
      whole: true,
    });
    expect(asked(sent)).toEqual([{ per_page: '50' }, { cursor: 'w1', per_page: '50' }]);
    expect([...there].sort()).toEqual(['a', 'b', 'c']);
    expect(saved).toEqual([
      { slugs: ['gone', 'b', 'a'], state: { ...at('w1'), changed: ['a', 'b'] } },
      {
        slugs: ['gone', 'b', 'a', 'c'],
        state: { ...at('w1'), changed: ['a', 'b', 'c'], removed: ['gone'] },
      },
      { slugs: ['b', 'a', 'c'], state: since('wt') },
    ]);
  });

  it.each([
    ['the whole blog', since(null), [{ whole: true }, { whole: true }, { whole: true }]],
    ['changes', since('wt'), [{ removed: ['gone'] }, { removed: ['b'] }, { removed: ['x'] }]],
  ])('names what changed in %s, wherever it is interrupted', async (_, state, rests) => {
    const pages = () =>
      rests.map((rest, i) =>
        page(i === 0 ? ['a', 'b'] : [`c${i}`], { ...rest, ...(i < 2 ? { cursor: `${i}` } : { token: 'u' }) }),
      );
    const there = ['a', 'gone', 'gone too'];
    const whole = memory(there, state);
    const { changed, removed } = await scripted(pages()).client.sync(whole.store);
    expect(removed.length).toBeGreaterThan(1);
    // Each call of a method of the store fails once.
    let calls = Infinity;
    for (let failing = 0; calls >= failing; failing++) {
      const { store, there: kept } = memory(there, state);
      calls = 0;
      const count = () => {
        if (calls++ === failing) throw new Error('The disk is full.');
      };
      const fragile: Store = {
        load: () => store.load(),
        save: (next) => (count(), store.save(next)),
        put: (article) => (count(), store.put(article)),
        delete: (slug) => (count(), store.delete(slug)),
        slugs: () => (count(), store.slugs()),
      };
      const first = scripted(pages());
      const complete = await first.client.sync(fragile).catch(() => null);
      if (complete) break;
      // The page that failed is requested again.
      const again = await scripted(pages().slice(first.sent.length - 1)).client.sync(fragile);
      const sorted = (slugs: readonly string[]) => slugs.toSorted();
      expect([failing, sorted(again.changed), sorted(again.removed)]).toEqual([
        ...[failing, sorted(changed), sorted(removed)],
      ]);
      expect(sorted([...kept])).toEqual(sorted([...whole.there]));
    }
    expect(calls).toBeGreaterThan(8);
  });

  it('applies changes, and the latest version of each article', async () => {
    const { store, there } = memory(['a', 'b', 'c'], since('wt'));
    const { client, sent } = scripted([
      page(['a'], { cursor: 'w1', removed: ['b'] }),
      page(['b'], { token: 'vu', removed: ['a'], lists: { ...NO_LISTS, tags: true } }),
    ]);
    expect(await client.sync(store)).toEqual({
      changed: ['b'],
      removed: ['a'],
      lists: { ...NO_LISTS, tags: true },
      requests: 2,
      whole: false,
    });
    expect(asked(sent)).toEqual([
      { since: 'wt', per_page: '50' },
      { cursor: 'w1', per_page: '50' },
    ]);
    expect([...there]).toEqual(['c', 'b']);
  });

  it.each([
    ['changes', false, { since: 'wt', per_page: '50' }],
    ['a walk through the whole blog', true, { per_page: '50' }],
  ])('begins again if the API no longer knows its cursor among %s', async (_, whole, again) => {
    const { store, there } = memory(['a'], since(whole ? null : 'wt'));
    const { client, sent } = scripted([
      page(['gone'], { cursor: 'w1', whole }),
      unknown(),
      page(['b'], { cursor: 'v3', whole: true }),
      page(['c'], { token: 'vu', whole: true, removed: ['x'] }),
    ]);
    expect(await client.sync(store)).toMatchObject({ changed: ['b', 'c'], whole: true, requests: 4 });
    expect(asked(sent)[2]).toEqual(again);
    expect([...there].sort()).toEqual(['b', 'c']);
  });

  it('reads the whole blog if the API does not take its token', async () => {
    const { store, there } = memory(['a'], since('of another API'));
    const { client } = scripted([unknown(), page(['b'], { token: 'vu', whole: true })]);
    expect(await client.sync(store)).toMatchObject({ changed: ['b'], removed: ['a'], whole: true });
    expect([...there]).toEqual(['b']);
  });

  it('stops beginning again if the blog never holds still', async () => {
    const { store } = memory();
    const first = () => page(['a'], { cursor: 'w1', whole: true });
    const { client, sent } = scripted([1, 2, 3, 4].flatMap(() => [first(), unknown()]));
    await expect(client.sync(store)).rejects.toMatchObject({ status: 400 });
    expect(sent).toHaveLength(8);
  });

  it('stops between two pages on a signal, and continues there', async () => {
    const { store, saved } = memory();
    const control = new AbortController();
    const stopping = { ...store, put: () => control.abort(new Error('enough')) };
    const { client } = scripted([page(['a'], { cursor: 'w1', whole: true })]);
    await expect(client.sync(stopping, { signal: control.signal })).rejects.toThrow('enough');
    expect(saved.at(-1)?.state.cursor).toBe('w1');
  });

  it('accepts stores whose slugs come at once, later, or one by one', async () => {
    const [list, later] = [['x'], Promise.resolve(new Set(['x']))];
    async function* one() {
      yield 'x';
    }
    for (const slugs of [list, later, one()]) {
      const { store } = memory();
      const { client } = scripted([page(['a'], { token: 'wt', whole: true })]);
      expect(await client.sync({ ...store, slugs: () => slugs })).toMatchObject({ removed: ['x'] });
    }
  });
});
