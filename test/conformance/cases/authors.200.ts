import { describe, expect, test } from 'vitest';
import { author, paged, success } from '../shapes.ts';
import type { Cases } from './suite.ts';

/** GET /authors and GET /authors/{username}. */
export const authors200: Cases = (stage) => {
  describe('/authors: 200', () => {
    test('omits authors without published posts', async () => {
      const reply = await stage().caller.get('/authors?per_page=50');
      const names = success(paged(author))
        .parse(reply.json)
        .data.items.map(({ username }) => username);
      expect(names).toEqual(expect.arrayContaining(['ada', 'Ada', '__proto__', '...']));
      for (const absent of ['idle', 'drafter', 'planner']) expect(names).not.toContain(absent);
    });
  });

  describe('/authors/{username}: 200', () => {
    test('with an avatar, and without', async () => {
      const avatarOf = async (username: string) => {
        const reply = await stage().caller.get(`/authors/${username}`);
        return success(author).parse(reply.json).data.avatar;
      };
      expect(await avatarOf('ada')).toBe('https://blog.example/ada.png');
      expect(await avatarOf('Ada')).toBeNull();
    });
  });
};
