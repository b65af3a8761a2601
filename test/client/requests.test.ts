/**
 * The requests that the client sends, and how it handles replies.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Neighbour, OffprintError } from '../../client/source/index.ts';
import { failure, limited, scripted, success } from './scripted.ts';

describe('a request', () => {
  it.each(['https://api.example', 'https://api.example/', 'https://api.example/blog//'])(
    'is sent below the prefix of %s',
    async (url) => {
      const { client, sent } = scripted([success({})], { url });
      await client.overview();
      expect(sent[0]?.url).toBe(`${url.replace(/\/+$/, '')}/api/public/v1`);
    },
  );

  it('has the key in a header, and no such header without a key', async () => {
    const { client, sent } = scripted([success({})], { key: 'opk_x' });
    await client.me();
    expect([...(sent[0]?.headers ?? [])]).toEqual([['authorization', 'Bearer opk_x']]);
    const without = scripted([success({})], { key: '' });
    await without.client.me();
    expect([...(without.sent[0]?.headers ?? [])]).toEqual([]);
  });

  it('has the given parameters, encoded', async () => {
    const { client, sent } = scripted([success({}), success({})]);
    await client.posts({ q: 'a & ü', tag: undefined, category: '', page: 2 });
    await client.post('a/b?ü');
    expect(sent.map(({ url }) => url.replace('https://api.example/api/public/v1', ''))).toEqual([
      ...['/posts?q=a+%26+%C3%BC&page=2', '/posts/a%2Fb%3F%C3%BC'],
    ]);
  });

  it('has filters with several values, ranges of time, and further fields', async () => {
    const { client, sent } = scripted(Array.from({ length: 6 }, () => success({ items: [], meta: {} })));
    await client.posts({
      tag: { any: ['a', 'b & ü'], all: ['c'], not: ['d'] },
      author: { not: ['x', 'y'] },
      sort: 'old',
      category: { any: ['news'], not: undefined },
      from: '2025-01-01',
      until: '2026-01-01T00:00:00+01:00',
      include: ['dates'],
      per_page: 50,
    });
    await client.posts({ tag: 'a, b', author: {} });
    for await (const { slug } of client.eachPost({ category: { any: ['news'] } })) expect.unreachable(slug);
    await client.post('c', { include: ['summary', 'dates', 'neighbours'] });
    await client.post('c', { include: [], maxWait: 0 });
    const asked = sent
      .map(({ url }) => new URL(url))
      .map(({ pathname, searchParams }) => [
        pathname.replace('/api/public/v1', ''),
        Object.fromEntries(searchParams),
      ]);
    const tags = { 'tag.any': 'a,b & ü', 'tag.all': 'c', 'tag.not': 'd' };
    const others = { 'author.not': 'x,y', 'category.any': 'news' };
    const range = { from: '2025-01-01', until: '2026-01-01T00:00:00+01:00' };
    expect(asked).toEqual([
      ['/posts', { ...tags, ...others, ...range, sort: 'old', include: 'dates', per_page: '50' }],
      ['/posts', { tag: 'a, b' }],
      ['/posts', { 'category.any': 'news', per_page: '50', page: '1' }],
      ['/posts/c', { include: 'summary,dates,neighbours' }],
      ['/posts/c', {}],
    ]);
  });

  it.each([[[]], [['a', '']], [['a,b']]])('is not sent for the list of values %j', async (values) => {
    const { client, sent } = scripted([]);
    await expect(client.posts({ tag: { not: values } })).rejects.toMatchObject({
      status: 400,
      message: '"tag.not" takes one or more values, none empty or with a comma.',
    });
    expect(sent).toEqual([]);
  });

  it('for further fields has their types in its answer', async () => {
    const neighbour = { slug: 'b', title: 'B', url: 'https://b.example' };
    const item = { slug: 'a', updated_at: null, previous: neighbour, next: null, cover: null };
    const { client } = scripted([
      ...[success({ items: [item] }), success(item), success({ items: [item] }), success(item)],
    ]);
    const said: unknown[] = [];
    const timeOf = (time: string | null) => said.push(time);
    const titleOf = (article: Neighbour | null) => said.push(article?.title);
    for (const { updated_at } of (await client.posts({ include: ['dates'] })).items) timeOf(updated_at);
    const { previous, cover } = await client.post('a', { include: ['summary', 'neighbours'] });
    titleOf(previous);
    expect([...said, cover]).toEqual([null, 'B', null]);
    // @ts-expect-error The list has this field only if it is asked for.
    for (const post of (await client.posts()).items) timeOf(post.updated_at);
    // @ts-expect-error So has the article.
    titleOf((await client.post('a', { include: ['dates'] })).previous);
    // @ts-expect-error Only tags can be asked for together.
    await expect(client.posts({ category: { all: ['a'] } })).rejects.toBeInstanceOf(Error);
  });

  it.each(['', '.', '..'])('is not sent for the article "%s", which has no path', async (slug) => {
    const { client, sent } = scripted([]);
    await expect(client.post(slug)).rejects.toMatchObject({ status: 404 });
    await expect(client.author(slug)).rejects.toMatchObject({ status: 404 });
    expect(sent).toEqual([]);
  });
});

describe('an answer', () => {
  it('with an error has its status, message and reasons', async () => {
    const body = { success: false, message: 'See errors.', errors: { q: ['It is too long.'] } };
    const error = await failure(scripted([Response.json(body, { status: 422 })]).client.posts({ q: 'x' }));
    expect(error).toBeInstanceOf(OffprintError);
    expect(error).toMatchObject({
      name: 'OffprintError',
      status: 422,
      message: 'See errors.',
      reasons: body.errors,
      retryAfter: null,
    });
  });

  it.each([
    ['a page of a proxy', new Response('<h1>Bad Gateway</h1>', { status: 502 }), 502],
    ['a page instead of an answer', new Response('<h1>Welcome</h1>'), 200],
    ['JSON of something else', Response.json({ success: 'yes' }), 200],
    ['null', Response.json(null), 200],
    ['a 304', new Response(null, { status: 304 }), 304],
    ['a success with an error status', Response.json({ success: true, data: {} }, { status: 500 }), 500],
  ])('that is invalid is an error: %s', async (_, reply, status) => {
    await expect(scripted([reply]).client.tags()).rejects.toMatchObject({ status, reasons: {} });
  });

  it('that does not arrive, or is incomplete, is an error of status 0 with its cause', async () => {
    const broken = new ReadableStream({ start: (stream) => stream.error(new Error('cut off')) });
    for (const reply of [new TypeError('cut off'), new Response(broken)]) {
      const error = await failure(scripted([reply]).client.tags());
      expect(error).toMatchObject({ status: 0, cause: { message: 'cut off' } });
      expect(String(error)).toBe(
        'OffprintError: https://api.example/api/public/v1/tags cannot be reached: cut off.',
      );
    }
  });
});

describe('a limit that is reached', () => {
  beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-01-01T00:00:00Z') }));
  afterEach(() => void vi.useRealTimers());

  it.each([
    ['in seconds', '7', 7],
    ['as a date', 'Thu, 01 Jan 2026 00:00:09 GMT', 9],
    ['that are over', '0', 1],
  ])('is waited for: %s', async (_, retryAfter, seconds) => {
    const { client, sent } = scripted([limited(retryAfter), success([])]);
    const answer = client.tags();
    await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await answer).toEqual([]);
  });

  it.each([
    ['a minute in total by default', {}, {}, ['30', '30', '1'], 60, 1],
    ['up to the limit of the client', { maxWait: 100 }, {}, ['90', '11'], 90, 11],
    ['up to the limit of the call', { maxWait: 100 }, { maxWait: 5 }, ['6'], 0, 6],
    ['not at all', { maxWait: 0 }, {}, ['1'], 0, 1],
    ['not without Retry-After', {}, {}, [null], 0, null],
    ['not with an invalid Retry-After', {}, {}, ['soon'], 0, null],
  ])('is waited for %s', async (_, options, call, waits, waited, retryAfter) => {
    const { client, sent } = scripted(waits.map(limited), options);
    const ended = failure(client.tags(call));
    await vi.runAllTimersAsync();
    expect(await ended).toMatchObject({ status: 429, retryAfter });
    expect(sent).toHaveLength(waits.length);
    expect(Date.now()).toBe(Date.parse('2026-01-01T00:00:00Z') + waited * 1000);
  });

  it('is waited for once by all pages of a list', async () => {
    const page = (last_page: number) => success({ items: [1], meta: { last_page } });
    const { client } = scripted([page(3), limited('40'), page(3), limited('40')]);
    const items: unknown[] = [];
    const readAll = async () => {
      for await (const item of client.eachPost()) items.push(item);
    };
    const ended = failure(readAll());
    await vi.runAllTimersAsync();
    expect(await ended).toMatchObject({ status: 429, retryAfter: 40 });
    expect(items).toHaveLength(2);
  });

  it('is waited for until a signal cancels it', async () => {
    const control = new AbortController();
    const { client, sent } = scripted([limited('50')], { signal: control.signal });
    const ended = failure(client.tags({ signal: new AbortController().signal }));
    await vi.advanceTimersByTimeAsync(1000);
    const reason = new Error('no longer needed');
    control.abort(reason);
    expect(await ended).toBe(reason);
    expect(sent).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a signal', () => {
  it.each(['client', 'call'] as const)('of the %s cancels a call before it starts', async (whose) => {
    const reason = new Error('no longer needed');
    const signal = AbortSignal.abort(reason);
    const { client, sent } = scripted([success([])], whose === 'client' ? { signal } : {});
    await expect(client.tags(whose === 'call' ? { signal } : {})).rejects.toBe(reason);
    expect(sent).toEqual([]);
  });
});
