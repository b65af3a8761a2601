/**
 * The sites of examples/ with the Worker and the limits of a key. They need as few requests as with one machine.
 */
import { expect, it, onTestFinished } from 'vitest';
import type { Settings } from '../service/home.ts';
import { serveWorker } from '../service/worker-home.ts';
import { limitsOfKey, REQUESTS, type Stage, stageOf } from './example-stage.ts';
import { isTested } from './generators.ts';
import { ARTICLES, blogOfTest, change, HAS_BLOG, type Published } from './published-blog.ts';
import { lacks } from '../lacks.ts';

it.skipIf(lacks('real blogs', HAS_BLOG))(
  'the sites need few requests to the Worker, and fewer after an edit',
  async () => {
    const published = await publishOnWorker(limitsOfKey());
    const stages: Stage[] = [];
    for (const generator of (['eleventy', 'astro'] as const).filter(isTested))
      stages.push(await stageOf(generator, published));
    for (const { site, service, key, used } of stages) {
      expect(await site.build(service.url, key)).toContain(`${ARTICLES} articles, ${REQUESTS} requests`);
      // At midnight the count starts again.
      expect(await used()).toBeLessThanOrEqual(REQUESTS);
      expect(site.pages().has('posts/1.94.1-release/index.html')).toBe(true);
    }

    await published.edit(`DELETE FROM posts WHERE slug = '1.94.1-release'`);
    for (const { site, service, key, used } of stages) {
      expect(await site.build(service.url, key)).toContain(`${ARTICLES - 1} articles, `);
      expect(await used()).toBeLessThanOrEqual(5);
      expect(site.pages().has('posts/1.94.1-release/index.html')).toBe(false);
    }
  },
);

async function publishOnWorker(settings: Settings): Promise<Published> {
  const service = await serveWorker(await blogOfTest(), settings);
  onTestFinished(() => service.close());
  return {
    service,
    async edit(sql) {
      change(service.db, sql);
      await service.publish();
      await service.stop();
      await service.restart(); // The Worker notices the new snapshot by itself only after seconds.
    },
  };
}
