/** The packed client inside a Worker. */
import { convertV4MiniflareOptions, Miniflare, NoOpLog } from 'miniflare';
import { expect, it } from 'vitest';
import { readWorkerConfig } from '../../service/worker-config.ts';
import { sampleBlog } from '../../service/blogs.ts';
import { inProcessHome } from '../../service/in-process-home.ts';
import { clientModules } from '../installed.ts';

const WORKER = `
  import { createClient, OffprintError } from './index.js';
  export default {
    async fetch(_, { API }) {
      const blog = createClient({ url: API, signal: new AbortController().signal });
      const articles = new Map();
      const store = {
        load() {}, save() {}, delete() {},
        put: (article) => void articles.set(article.slug, article), slugs: () => articles.keys(),
      };
      const { changed } = await blog.sync(store, { signal: new AbortController().signal });
      await blog.tags();
      const missing = await blog.post('nowhere').catch((error) => error);
      return Response.json([
        changed.length, articles.get('brevity').title, (await blog.tags()).length > 0,
        missing instanceof OffprintError && missing.status,
      ]);
    },
  };`;

it('the client works in a Worker', async () => {
  const service = await inProcessHome.serve(await sampleBlog());
  const modules = Array.from(await clientModules(), ([path, contents]) => ({
    type: 'ESModule' as const,
    path,
    contents,
  }));
  const platform = new Miniflare(
    convertV4MiniflareOptions({
      name: 'caller',
      compatibilityDate: String(readWorkerConfig()['compatibility_date']),
      cf: false,
      log: new NoOpLog(),
      logRequests: false,
      modules: [{ type: 'ESModule', path: 'worker.js', contents: WORKER }, ...modules],
      bindings: { API: service.url },
    }),
  );
  try {
    const reply = await platform.dispatchFetch('http://worker/');
    const text = await reply.text();
    expect(text).toBe(JSON.stringify([39, 'On Brevity', true, 404]));
  } finally {
    await platform.dispose();
    await service.close();
  }
});
