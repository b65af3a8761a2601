/**
 * Failures of the network and the service, between the publisher and a store.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type MemoryStore, startMemoryStore } from '../memory-store.ts';
import { type Fault, type Proxy, type Seen, startProxy } from '../proxy.ts';
import { builtBlog, type PublishedBlog, publishTo } from '../publishing.ts';
import { storedFiles } from '../stored-files.ts';

let store: MemoryStore;
let proxy: Proxy;
beforeAll(async () => void (store = await startMemoryStore()));
afterAll(() => store.close());
beforeEach(async () => {
  proxy = await startProxy(store.endpoint);
  return () => proxy.close();
});

const FAST = { timeoutMs: 60_000, retry: { tries: 4, baseMs: 5, capMs: 20 } };
/** For requests that hang once: a shorter timeout, and retries for any number of others that a busy machine delays. */
const SHORT_TIMEOUT = { timeoutMs: 400, retry: { ...FAST.retry, tries: Infinity } };

/** Causes a fault for each request once, the first time it is seen. */
function failEachOnce(fault: Fault): (seen: Seen) => Fault | undefined {
  const harmed = new Set<string>();
  return ({ method, url }) => {
    const request = `${method} ${url}`;
    if (harmed.has(request)) return undefined;
    harmed.add(request);
    return fault;
  };
}

async function publishedBlog(
  prefix: string,
): Promise<{ blog: PublishedBlog; to: string; stored: ReturnType<typeof storedFiles> }> {
  const blog = await builtBlog(5);
  const to = `s3://${store.bucket}/${prefix}`;
  proxy.fault = () => undefined;
  await publishTo(proxy.endpoint, to, blog.out);
  proxy.seen.length = 0;
  await blog.addPost('the-news');
  return { blog, to, stored: storedFiles(store, `${prefix}/`) };
}

describe('a publish succeeds although each of its requests fails once:', () => {
  const faults: [string, Fault][] = [
    ['429', { status: 429 }],
    ['429 with Retry-After', { status: 429, headers: { 'retry-after': '0' } }],
    ['503', { status: 503 }],
    ['500', { status: 500 }],
    ['a connection that breaks', 'reset'],
    ['a service that never answers', 'hang'],
    ['a lost answer, so that everything is sent twice', 'lose'],
  ];
  test.each(faults)('%s', async (name, fault) => {
    const { blog, to, stored } = await publishedBlog(name.replace(/\W+/g, '-'));
    proxy.fault = failEachOnce(fault);
    const { snapshot, retries } = await publishTo(proxy.endpoint, to, blog.out, {
      transport: fault === 'hang' ? SHORT_TIMEOUT : FAST,
    });
    expect(retries).toBeGreaterThan(10);
    expect((await stored.pointer()).snapshot).toBe(snapshot);
    expect((await stored.pointer()).previous).toHaveLength(1);
    expect(await stored.faults()).toEqual([]);
  });
});

describe('a publish gives up and keeps the old snapshot if the fault continues:', () => {
  const faults: [string, Fault, string][] = [
    ['503 every time', { status: 503 }, 'with 503'],
    ['429 every time', { status: 429 }, 'with 429'],
    ['connections that break', 'reset', 'cannot be reached (UND_ERR_SOCKET)'],
    ['no answer', 'hang', 'cannot be reached (no answer in time)'],
  ];
  test.each(faults)('%s', async (name, fault, message) => {
    const { blog, to, stored } = await publishedBlog(name.replace(/\W+/g, '-'));
    const { snapshot } = await stored.pointer();
    // The time for an answer is over when both uploads hang.
    let limits: AbortController[] = [];
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
      const limit = new AbortController();
      limits.push(limit);
      return limit.signal;
    });
    onTestFinished(() => timeout.mockRestore());
    proxy.fault = ({ method }) => {
      if (method !== 'PUT') return undefined;
      if (fault === 'hang' && proxy.puts().length % 2 === 0) {
        for (const limit of limits) limit.abort(new DOMException('Late.', 'TimeoutError'));
        limits = [];
      }
      return fault;
    };
    const publishing = publishTo(proxy.endpoint, to, blog.out, { transport: FAST, connections: 2 });
    await expect(publishing).rejects.toThrow(message);
    expect((await stored.pointer()).snapshot).toBe(snapshot);
    expect(await stored.faults()).toEqual([]);
    expect(proxy.puts().length).toBe(2 * FAST.retry.tries); // Two in parallel, each with all its retries, then nothing.
  });
});

test('a wait is as long as the service asks for, up to a maximum', async () => {
  const { blog, to } = await publishedBlog('asked');
  const waits: number[] = [];
  const transport = { ...FAST, random: () => 0, sleep: (ms: number) => Promise.resolve(void waits.push(ms)) };
  proxy.fault = failEachOnce({ status: 503, headers: { 'retry-after': '17' } });
  const { retries } = await publishTo(proxy.endpoint, to, blog.out, { transport });
  expect(waits).toEqual(Array(retries).fill(17_000));
});

describe('what the service rejects is not retried, and the message says what to do:', () => {
  const refusals: [status: number, code: string, says: string[], headers?: Record<string, string>][] = [
    [400, '', ['400', 'speaks the S3 API']],
    [501, 'NotImplemented', ['501, NotImplemented']],
    [401, '', ['AWS_ACCESS_KEY_ID']],
    [403, 'AccessDenied', ['list, read, write and delete']],
    [403, 'SignatureDoesNotMatch', ['belongs to AWS_ACCESS_KEY_ID']],
    [403, 'InvalidAccessKeyId', ['AWS_SESSION_TOKEN too']],
    [400, 'ExpiredToken', ['AWS_SESSION_TOKEN again']],
    [403, 'InvalidToken', ['AWS_SESSION_TOKEN again']],
    [403, 'RequestTimeTooSkewed', ["this machine's clock"]],
    [404, 'NoSuchBucket', ['Create the bucket']],
    [400, 'AuthorizationHeaderMalformed</Code><Region>eu-west-1</Region><Code>', ['eu-west-1', 'AWS_REGION']],
    [301, 'PermanentRedirect', ['us-east-2', 'AWS_REGION'], { 'x-amz-bucket-region': 'us-east-2' }],
    [307, '', ['--endpoint']],
    [302, '', ['speaks the S3 API']],
    [400, 'KMS.DisabledException', ['400, KMS.DisabledException']],
    [403, 'QuotaExceeded', ['full']],
    [507, 'XMinioStorageFull', ['full']],
  ];
  test.each(refusals)('%s %s', async (status, code, says, headers = {}) => {
    const { out } = await builtBlog(1);
    proxy.fault = () => ({ status, headers, body: `<Error><Code>${code}</Code></Error>` });
    const publishing = publishTo(proxy.endpoint, `s3://${store.bucket}/refused`, out, { transport: FAST });
    const failure = await publishing.then(String, String);
    for (const part of says) expect(failure).toContain(part);
    expect(proxy.seen).toHaveLength(1);
  });
});

test('the limit of parallel requests is not exceeded', async () => {
  const { out } = await builtBlog(12);
  let [running, most] = [0, 0];
  // Requests for objects wait until the limit is reached, and a later request has arrived, as one more would have.
  let open = (): void => undefined;
  const full = new Promise<void>((resolve) => (open = resolve));
  proxy.fault = async ({ method, url }) => {
    if (method !== 'PUT' || !url.includes('/objects/')) return undefined;
    most = Math.max(most, (running += 1));
    if (running === 7) void fetch(proxy.endpoint).finally(open);
    await full;
    running -= 1;
    return undefined;
  };
  const to = `s3://${store.bucket}/bounded`;
  await publishTo(proxy.endpoint, to, out, { connections: 64, transport: { connections: 7 } });
  expect(most).toBe(7);
});
