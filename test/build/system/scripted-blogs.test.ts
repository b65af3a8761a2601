/** A post whose images and player a script would load, from its blog to the served article. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addFiles } from '../../import/folder.ts';
import { item, wxr } from '../../import/wordpress/export.ts';
import { offprintInProcess } from '../../service/in-process.ts';
import { serveOutput } from '../gateway-client.ts';
import { publish } from '../publishing.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const BODY =
  '<img src="/loading.svg" data-src="/real.jpg"><noscript><img src="/real.jpg"></noscript><img srcset="/r4.jpg 400w">' +
  '<lite-youtube videoid="aaaaaaaaaaa"></lite-youtube><amp-img src="/amp.jpg"></amp-img><my-map></my-map>';
const SHOWN = [
  'https://blog.example/real.jpg',
  'https://blog.example/r4.jpg',
  'https://www.youtube-nocookie.com/embed/aaaaaaaaaaa',
  'https://blog.example/amp.jpg',
];

const rss = `<rss xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><link>https://blog.example/</link>
<item><title>Lazy</title><link>https://blog.example/one</link><pubDate>Mon, 22 Mar 2021 10:30:00 +0200</pubDate>
<content:encoded><![CDATA[${BODY}]]></content:encoded></item></channel></rss>`;

test.each([
  ['feed', rss],
  ['wordpress', wxr(item({ 'content:encoded': BODY }))],
])('of a %s', async (format, text) => {
  const folder = temporaryFolder();
  addFiles(folder, { 'blog.xml': text });
  const [db, out] = [join(folder, 'blog.db'), join(folder, 'out')];
  const imported = await offprintInProcess(['import', format, join(folder, 'blog.xml'), '--db', db]);
  expect(imported, imported.stderr).toMatchObject({ code: 0 });
  const { removed } = await publish(db, out);
  expect(removed).toEqual([{ kind: 'custom element', count: 1, posts: 1, hosts: ['my-map'] }]);
  const { stdout } = await offprintInProcess(['status', '--out', out]);
  expect(stdout).toContain('1 custom element in 1 post (my-map)');
  const served = await serveOutput(out);
  try {
    const { content } = await served.article('one');
    expect([...content.matchAll(/ src="([^"]*)"/g)].map(([, src]) => src)).toEqual(SHOWN);
  } finally {
    await served.end();
  }
});
