import { z } from 'zod';
import { PREFIX } from '../../contract/api.ts';
import { send } from '../service/client.ts';
import { startOffprint } from './offprint-process.ts';

const listSchema = z.object({
  data: z.object({
    items: z.array(z.object({ slug: z.string(), title: z.string(), views: z.number() })),
    meta: z.object({ total: z.number() }),
  }),
});
const articleSchema = z.object({ data: z.object({ title: z.string(), content: z.string() }) });

type PostList = z.infer<typeof listSchema>['data'];
type Article = z.infer<typeof articleSchema>['data'];

/** Any status but 200. */
export class Refused extends Error {
  override name = 'Refused';
}

/** A gateway process, and a client of it. */
export interface ServedOutput {
  readonly url: string;
  /** The query string, without the question mark. */
  list(query: string): Promise<PostList>;
  article(slug: string): Promise<Article>;
  end(): Promise<void>;
}

/** Serves the snapshot in `out`. */
export async function serveOutput(out: string): Promise<ServedOutput> {
  const server = startOffprint(['serve', '--out', out, '--port', '0']);
  await server.printed(/http:\/\/[\d.]+:\d+\s/);
  const url = /http:\/\/[\d.]+:\d+/.exec(server.stdout)?.[0] ?? '';
  const get = async (path: string): Promise<unknown> => {
    const reply = await send(url, { path: `${PREFIX}${path}` });
    if (reply.status !== 200) throw new Refused(`GET ${path}: ${reply.status} ${reply.text}`);
    return reply.json;
  };
  return {
    url,
    list: async (query) => listSchema.parse(await get(`/posts?${query}`)).data,
    article: async (slug) => articleSchema.parse(await get(`/posts/${encodeURIComponent(slug)}`)).data,
    async end() {
      server.child.kill('SIGKILL');
      await server.ended;
    },
  };
}
