import { describe, expect, test } from 'vitest';
import { HOSTILE, named } from '../../service/odd-blog.ts';
import { detail, success } from '../shapes.ts';
import type { Cases } from './suite.ts';

/** GET /posts/{slug}. */
export const post200: Cases = (stage) => {
  const read = async (slug: string) => {
    const reply = await stage().caller.get(`/posts/${encodeURIComponent(slug)}`);
    expect(reply.status, reply.text).toBe(200);
    const { content, ...rest } = success(detail).parse(reply.json).data;
    expect(rest).toEqual(stage().oracle.article(slug));
    return { content, ...rest };
  };

  describe('/posts/{slug}: 200', () => {
    test('has every field', async () => {
      expect(await read(named.full)).toEqual({
        slug: 'everything-set',
        title: 'Everything set',
        content: '<h2>Heading</h2><p>Text with <strong>weight</strong>.</p>',
        tags: ['Machine Learning', 'C++', 'C#', 'C', 'Rust', 'RUST'],
        seo: { meta_title: 'For machines', meta_description: 'A description for machines' },
        published_at: '2025-01-31T23:59:59+05:45',
      });
    });

    test('without SEO text null, without tags an empty list, without a body an empty string', async () => {
      expect(await read(named.bare)).toMatchObject({
        content: '',
        tags: [],
        seo: { meta_title: null, meta_description: null },
      });
    });

    test('every slug of the list leads to its article', async () => {
      const slugs = stage().oracle.strings('SELECT slug FROM shown ORDER BY moment, slug');
      for (const slug of slugs) await read(slug);
    });

    test.each(['.', '..'])('a slug that is "%s" never gives another article', async (slug) => {
      for (const written of [slug, slug.replaceAll('.', '%2e')]) {
        const reply = await stage().caller.get(`/posts/${written}`);
        expect([200, 404]).toContain(reply.status);
        const parsed = success(detail).safeParse(reply.json);
        if (parsed.success) expect(parsed.data.data.slug).toBe(slug);
      }
    });

    test('letters may be percent-encoded without need', async () => {
      const reply = await stage().caller.get('/posts/%65verything%2Dset');
      expect(success(detail).parse(reply.json).data.slug).toBe('everything-set');
    });

    test('a scheduled post is published at its time', async () => {
      await read(named.due);
    });

    test('content keeps what an article needs, and nothing that is unsafe', async () => {
      const { content } = await read(named.hostile);
      expect(content).not.toMatch(HOSTILE);
      expect(content).not.toContain('evil.example');
      expect(content).toContain('A heading</h2>');
      expect(content).toContain('<em>text</em> &amp; <a href="https://blog.example/"');
      expect(content).toContain('<td>cell</td>');
      expect(content).toContain('<code>let a = 1 &lt; 2;</code>');
      expect(content).toMatch(/<img[^>]* alt="kept"/);
      expect(content).toMatch(/<iframe[^>]* src="https:\/\/www\.youtube(?:-nocookie)?\.com\/embed\/abc123"/);
    });
  });
};
