import { describe, expect, test } from 'vitest';
import * as v from 'valibot';
import { engineFiles } from '../../../build/output/program.ts';
import type { HtmlAdditions } from '../../../build/html/policy.ts';
import { sanitiser } from '../../../build/html/sanitise.ts';
import { CONFIG } from '../../../cli/settings.ts';
import { insertPost, writeEmptyBlog } from '../../service/odd-blog.ts';
import { readPublished } from '../published-blog.ts';
import { editing, publish } from '../publishing.ts';
import { offprintInProcess } from '../../service/in-process.ts';
import { withImports } from '../../imports.ts';
import { blogPaths } from '../temporary-folder.ts';

const BASE = 'https://blog.example/posts/a';
const FRAME = '<iframe src="https://video.example/embed/1"></iframe>';
const SANDBOXED =
  '<iframe src="https://video.example/embed/1" sandbox="allow-scripts allow-same-origin allow-presentation allow-popups ' +
  'allow-popups-to-escape-sandbox" loading="lazy" referrerpolicy="strict-origin-when-cross-origin"></iframe>';
const BODY = `<p class="note-red other">a</p>${FRAME}`;
const OPEN = { embeds: ['video.example'], classes: ['note-*'] };

function sanitiserOf(additions: HtmlAdditions): (html: string, base: string) => string {
  return (html, base) => sanitiser(additions)(html, base).html;
}

describe("the owner's additions to the HTML policy", () => {
  test('change the articles with the next build; removing them changes the articles back', async () => {
    const { db, out } = blogPaths();
    writeEmptyBlog(db);
    editing(db, (blog) => insertPost(blog, { slug: 'a', body: BODY }));
    const published = async (html?: typeof OPEN) => {
      const { objects } = await publish(db, out, html === undefined ? {} : { html });
      const [detail] = readPublished(out).details as { content: string }[];
      return { content: detail?.content, written: objects.written > 0 };
    };
    const closed = { content: '<p>a</p>', written: true };
    const open = { content: `<p class="note-red">a</p>${SANDBOXED}`, written: true };
    expect(await published()).toEqual(closed);
    expect(await published(OPEN)).toEqual(open);
    expect(await published(OPEN)).toEqual({ ...open, written: false });
    expect(await published()).toMatchObject({ content: closed.content });
  });

  test('what is removed is said by build and status, until it is allowed or gone', async () => {
    const { db, out } = blogPaths();
    writeEmptyBlog(db);
    const frame = (host: string) => `<iframe src="https://${host}/embed/1"></iframe>`;
    editing(db, (blog) => {
      insertPost(blog, { slug: 'a', body: `${frame('video.example')}${frame('maps.example')}<svg>x</svg>` });
      insertPost(blog, { slug: 'b', body: frame('video.example') });
      insertPost(blog, { slug: 'c', body: '<p>c</p>' });
    });
    const said = async (command: string): Promise<string[]> => {
      const files = command === 'status' ? ['--out', out] : ['--db', db, '--out', out];
      const { stdout, stderr } = await offprintInProcess([command, ...files]);
      return `${stdout}${stderr}`
        .split('\n')
        .flatMap((line) => /removed.*?((?:\d+ )?\d+ (?:frame|drawing|form).*)$/.exec(line)?.[1] ?? []);
    };
    const frames =
      '3 frames of 2 hosts in 2 posts (video.example, maps.example): allow them with "html.embeds"';
    for (const command of ['build', 'build', 'status'])
      expect(await said(command), command).toEqual([frames, '1 drawing in 1 post']);
    editing(db, (blog) => {
      blog.exec("UPDATE posts SET body = '<p>a</p>' WHERE slug = 'a'");
      insertPost(blog, { slug: 'd', body: '<form><input><select><option>x</option></select></form>' });
    });
    const last = [
      '2 form fields in 1 post',
      '1 frame of 1 host in 1 post (video.example): allow it with "html.embeds"',
    ];
    for (const command of ['build', 'status']) expect(await said(command), command).toEqual(last);
    await publish(db, out, { html: { embeds: ['video.example/embed/'], classes: [] } });
    expect(await said('status')).toEqual(['2 form fields in 1 post']);
  });

  test('allow a player whose frame a script of the blog fills later', () => {
    const sanitise = sanitiserOf(OPEN);
    const later = [
      'data-src="https://video.example/x"',
      'src="about:blank" data-lazy-src="https://video.example/x"',
    ];
    for (const attributes of later)
      expect(sanitise(`<iframe ${attributes}></iframe>`, BASE)).toContain(
        '<iframe src="https://video.example/x" ',
      );
    const { removals } = sanitiser(OPEN)(
      '<iframe data-src="//a.example/"></iframe><iframe srcdoc="x"></iframe><input type="hidden">',
      BASE,
    );
    expect(removals).toEqual({ 'frame a.example': 1, frame: 1 });
  });

  test('leave a formula of KaTeX visible where its classes are allowed', () => {
    const katex =
      '<span class="katex"><span class="katex-mathml"><math><mi>x</mi></math></span><span class="katex-html">x</span></span>';
    expect(sanitiserOf({ embeds: [], classes: ['katex*'] })(katex, BASE)).toBe(
      '<span class="katex"><span><math><mi>x</mi></math></span></span>',
    );
  });

  test('allow a player on a host, and nothing else from it', () => {
    const sanitise = sanitiserOf({ embeds: ['video.example/embed/'], classes: [] });
    const frame = (src: string) => sanitise(`<iframe src="${src}"></iframe>`, BASE);
    expect(frame('https://video.example/embed/1?a=b#c')).toContain(
      ' src="https://video.example/embed/1?a=b#c"',
    );
    expect(frame('https://VIDEO.example:443/other/../embed/1')).toContain(
      ' src="https://video.example/embed/1"',
    );
    const others = [
      'https://sub.video.example/embed/1',
      'https://video.example.evil.example/embed/1',
      'https://video-example/embed/1',
      'javascript://video.example/embed/%0aalert(1)',
      'https://video.example/',
      'https://video.example/EMBED/1',
      'https://video.example/embed/../upload/1',
      'https://video.example/embed/%2e%2e/upload/1',
      'https://video.example/embed/%252e%252e/upload/1',
      'https://video.example/embed/..;/upload/1',
      'https://video.example/embed\\..\\upload/1',
      'https://video.example//embed/1',
      'https://video.example./embed/1',
      'https://video.example:8443/embed/1',
      'https://a@video.example/embed/1',
      'https://video.example@evil.example/embed/1',
      'https://evil.example/?https://video.example/embed/1',
    ];
    for (const src of others) {
      expect(frame(src), src).toBe('');
      // Not plain HTML, so the sanitising library handles it.
      expect(sanitise(`<!-- --><iframe src='${src}'></iframe>`, BASE), src).toBe('');
    }
  });

  test.each([
    ['https://codepen.io/x/embed/y', true],
    ['https://codepen.io/x/full/y', false],
    ['https://codepen.io//embed/y', false],
    ['https://codepen.io/x/y/embed/z', false],
    ['https://archive.org/download/x/y.html', false],
    ['https://www.youtube.com/redirect?q=x', false],
  ])('frame %s is allowed: %s', (src, stays) => {
    expect(sanitiserOf({ embeds: [], classes: [] })(`<iframe src="${src}"></iframe>`, BASE) !== '').toBe(
      stays,
    );
  });

  test('allow nothing else', () => {
    const sanitise = sanitiserOf(OPEN);
    expect(sanitise('<p class="note note-a notes xnote-a">a</p>', BASE)).toBe('<p class="note-a">a</p>');
    expect(sanitise(BODY.replace('<p', '<!-- --><p'), BASE)).toBe(sanitise(BODY, BASE));
    expect(sanitise('<script>a</script><p onclick="a">b</p>', BASE)).toBe('<p>b</p>');
  });

  const hosts = ['https://video.example', 'video.example/../x', 'video.example/*/x', 'video.example?x'];
  const others = ['video.example:8080', '*.example', 'vid\u0435o.example', 'localhost', ''];
  test.each([
    ...[...hosts, ...others].map((host) => ({ embeds: [host] })),
    ...['*', 'a*b', '"><script>'].map((name) => ({ classes: [name] })),
    { embeds: 'video.example' },
    { elements: ['script'] },
  ])('are rejected if they are invalid: %j', (html) => {
    expect(v.safeParse(CONFIG, { html }).success).toBe(false);
  });

  test('are accepted if they are valid', () => {
    const html = {
      embeds: ['video.example', 'xn--e1afmkfd.example', 'a.example/embed/', 'b.example/v.1'],
      classes: ['note', 'note-*', '_a'],
    };
    expect(v.parse(CONFIG, { html }).html).toEqual(html);
  });
});

test('a change of any file that affects articles renders all of them again', () => {
  const steps = ['posts', 'pages', 'listings', 'names', 'render-thread', 'sets'];
  const needed = withImports([...steps.map((step) => `build/snapshot/${step}.ts`), 'build/search/index.ts']);
  for (const end of ['html/policy.ts', 'contract/search/suffix-tree.ts'])
    expect(needed.some((path) => path.endsWith(end))).toBe(true);
  // The database is read, and does not shape objects.
  const shaping = needed.filter((path) => !path.includes('/data/'));
  expect(engineFiles()).toEqual(expect.arrayContaining(shaping));
});
