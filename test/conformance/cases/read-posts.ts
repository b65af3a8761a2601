import { expect } from 'vitest';
import type { z } from 'zod';
import type { PostsQuery } from '../../oracle/oracle.ts';
import { paged, success, summary } from '../shapes.ts';
import type { Stage } from '../stage.ts';

/** A reply of GET /posts. */
export const list = success(paged(summary));

type Posts = z.output<typeof list>['data'];

/** The data of GET /posts, compared with the oracle. */
export async function readPosts(stage: Stage, query: PostsQuery = {}): Promise<Posts> {
  const reply = await stage.caller.get('/posts', { query: { ...query } });
  expect(reply.status, reply.text).toBe(200);
  const { data } = list.parse(reply.json);
  expect(data).toEqual(stage.oracle.posts(query));
  return data;
}
