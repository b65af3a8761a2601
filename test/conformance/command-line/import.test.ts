import { mkdirSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { offprintInProcess } from '../../service/in-process.ts';
import { usePlace } from './place.ts';

const place = usePlace();

describe('import markdown', () => {
  beforeAll(() => {
    mkdirSync(place.path('posts'));
    for (const name of ['a', 'b'])
      writeFileSync(
        place.path(`posts/${name}.md`),
        `---\ntitle: ${name}\ndate: 2024-01-02\ncategory: News\ntags: [C++]\nauthor: ada\n---\nText.\n`,
      );
  });

  test('says how to set the name and address that the source lacks', async () => {
    const config = place.path('named.json');
    const says = async (site: object) => {
      writeFileSync(config, JSON.stringify({ site }));
      const files = ['--db', place.path('unnamed.db'), '--config', config];
      const { stdout } = await offprintInProcess(['import', 'markdown', place.path('posts'), ...files]);
      return ['Set site.name in offprint.json', 'set site.url in offprint.json'].map((hint) =>
        stdout.includes(hint),
      );
    };
    expect(await says({})).toEqual([true, true]);
    expect(await says({ name: 'My blog' })).toEqual([false, true]);
    expect(await says({ name: 'My blog', url: 'https://my.example' })).toEqual([false, false]);
  });
});
