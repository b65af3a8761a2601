import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Random } from '../../../bench/generate/random.ts';
import { HTML_POLICY } from '../../../build/html/policy.ts';
import { sanitise } from '../../../build/html/sanitise.ts';
import { ArticleTooComplex } from '../../../build/html/work-limits.ts';
import { randomHtml } from '../html-fuzz.ts';
import { VECTORS } from '../html-vectors.ts';
import { HAS_BROWSER, startBrowser } from '../../service/browser.ts';
import { openReader, type Reader } from '../reader.ts';
import { SEED, cases } from '../../random-cases.ts';
import { lacks } from '../../lacks.ts';
import { boundProcessorTime } from '../../processor-time.ts';
import { textCases } from '../../text-cases.ts';

/**
 * The sanitiser's output runs nothing, whatever the input. It is shown in Chromium, which reports everything that
 * runs, loads or navigates, and checks every parsed element against the policy.
 */
const RUNS = cases(1_000);
/** Texts that are shown at once. */
const BATCH = 250;

const BASE = 'https://blog.example/posts/an-article';
const TIMEOUT = 120_000 + RUNS * 10;

describe.skipIf(lacks('Chromium', HAS_BROWSER))('in a reader’s browser', { timeout: TIMEOUT }, () => {
  let browser: Browser;
  let reader: Reader;
  beforeAll(async () => {
    browser = await startBrowser();
    reader = await openReader(browser);
  });
  afterAll(() => browser.close());

  test('the canary reports HTML that is not sanitised', async () => {
    const other = await openReader(browser);
    try {
      // Without vectors that navigate the whole page away.
      const raw = VECTORS.filter((vector, index) => index % 6 === 0 && !/<meta|_top|plaintext/i.test(vector));
      const { faults, happened } = await other.insert(raw);
      expect(faults.filter((found) => found.length > 0).length).toBeGreaterThan(raw.length * 0.8);
      expect(happened.filter((fault) => fault.startsWith('runs ')).length).toBeGreaterThan(30);
      expect(happened.filter((fault) => fault.startsWith('loads ')).length).toBeGreaterThan(5);
    } finally {
      await other.close();
    }
  });

  test(`nothing of the ${VECTORS.length} known vectors runs`, async () => {
    expect(VECTORS.length).toBeGreaterThan(1_000);
    await expectNothing(VECTORS);
  });

  test('nothing of them runs inside each other’s elements', async () => {
    const around = 'table select svg math noscript template iframe title style a pre'.split(' ');
    const wrapped = VECTORS.filter((_, index) => index % 3 === 0).map((vector, index) => {
      const name = around[index % around.length] ?? 'p';
      return `<${name}>${vector}</${name}>`;
    });
    await expectNothing(wrapped);
  });

  test(`nothing of ${RUNS} random vectors runs, seed ${SEED}`, async () => {
    const random = new Random(SEED);
    await expectNothing(
      Array.from({ length: RUNS }, () => randomHtml(random)),
      'from anywhere',
    );
  });

  test('no id or name shadows properties of the browser or of a page’s scripts', async () => {
    const names = (await reader.page.evaluate(`(() => {
      const names = new Set();
      for (const of of [window, document, document.createElement('form'), document.createElement('div'), {}])
        for (let at = of; at; at = Object.getPrototypeOf(at))
          for (const name of Object.getOwnPropertyNames(at)) names.add(name);
      return [...names].filter((name) => !/^\\d+$/.test(name));
    })()`)) as string[];
    expect(names).toEqual(
      expect.arrayContaining(['location', 'getElementById', 'cookie', '__proto__', 'submit']),
    );
    const articles = names.map((name, index) =>
      sanitise(
        [
          'a',
          'img',
          'p',
          // Frames are slow, and a few names represent all.
          ...(index % 50 === 0 ? ['iframe src="https://www.youtube.com/embed/x"'] : []),
          'video',
          'form',
          'object',
          'embed',
          'input',
        ]
          .map((tag) => `<${tag} id="${name}" name="${name}">`)
          .join('x'),
        BASE,
      ),
    );
    expect(articles.every((article) => article.includes(' id="'))).toBe(true);
    const hidden = await reader.page.evaluate(`((names, articles) => {
      const hidden = [];
      names.forEach((name, index) => {
        const inDocument = name in document;
        const inWindow = name in window;
        const box = document.createElement('div');
        document.body.append(box);
        box.innerHTML = articles[index];
        const isOurs = (value) => box === value || [...box.querySelectorAll('*')].includes(value);
        if (inDocument && isOurs(document[name])) hidden.push('document.' + name);
        if (!inDocument && name in document) hidden.push('document.' + name + ' is new');
        if (inWindow && isOurs(window[name])) hidden.push('window.' + name);
        box.remove();
      });
      return hidden;
    })(${JSON.stringify(names)}, ${JSON.stringify(articles)})`);
    expect(hidden).toEqual([]);
  });

  test('what is served is what Chromium builds from it', async () => {
    const inputs = allInputs();
    // HTML cannot print a line break at the beginning of `pre`.
    const outputs = inputs.map(sanitised).filter((output) => !output.includes('<pre>\n'));
    const built = (await reader.page.evaluate(`((outputs) => outputs.map((output) => {
      const read = (html) => Object.assign(document.createElement('div'), { innerHTML: html }).innerHTML;
      const once = read(output);
      return [once, read(once)];
    }))(${JSON.stringify(outputs)})`)) as [string, string][];
    const changed = built.flatMap(([once, twice], at) =>
      once === twice && sanitised(once) === outputs[at] ? [] : [{ output: outputs[at], once }],
    );
    expect(changed.slice(0, 5)).toEqual([]);
    expect(outputs.filter((output) => output.includes('<')).length).toBeGreaterThan(500);
  });

  /** Shows the sanitiser's output; on a failure, one by one, to name the cause. */
  async function expectNothing(inputs: readonly string[], pictures?: 'from anywhere'): Promise<void> {
    const from = new Map(inputs.map((input) => [sanitised(input), input]));
    const outputs = [...from.keys()];
    for (let at = 0; at < outputs.length; at += BATCH) {
      const batch = outputs.slice(at, at + BATCH);
      const faults = await reader.show(batch, pictures);
      if (faults.length === 0) continue;
      for (const output of batch)
        expect({ faults: await reader.show([output], pictures), input: from.get(output), output }).toEqual({
          faults: [],
          input: from.get(output),
          output,
        });
      expect(faults).toEqual([]);
    }
  }
});

/** Empty if it is too complex. */
function sanitised(html: string): string {
  try {
    return sanitise(html, BASE);
  } catch (error) {
    if (error instanceof ArticleTooComplex) return '';
    throw error;
  }
}

/** Elements where the standard moves, repeats or drops something. */
const NESTINGS = (
  textCases(new URL('../../build/articles.txt', import.meta.url)).get(
    'where the standard moves, repeats or drops something',
  ) ?? []
).flat();

function allInputs(): string[] {
  const random = new Random(SEED);
  return [...VECTORS, ...NESTINGS, ...Array.from({ length: RUNS }, () => randomHtml(random))];
}

/** Different elements, which browsers open again in each paragraph. */
const bolds = (count: number, length: number): string =>
  Array.from({ length: count }, (_, at) => `<b title="${at}${'x'.repeat(length)}">`).join('');

describe('two megabytes take seconds:', () => {
  boundProcessorTime(60);
  const parts = ['<', '<a ', '<!--', '<b>', '</b>', '<a href="', '&', '&#', '<svg>', '<p title=\'', '<![CDATA[', '<img src=x ', '<div style="', 'a:b;', '<table><tr><td>']; // prettier-ignore
  test.each<[string, string]>([
    ...parts.map((part): [string, string] => [part, part.repeat(200_000 / part.length)]),
    ['frames that are removed', '<iframe src="x">y</iframe>a'.repeat(70_000)],
    ['an address full of comments', `<a href="https://a.example/${'<!---->'.repeat(280_000)}">x</a>`],
    ['mail full of comments', `<a href="mailto:${'<!---->'.repeat(280_000)}">x</a>`],
    ['a long style', `<p style="${'color:red;'.repeat(200_000)}">x</p>`],
    ['many attributes', `<p ${Array.from({ length: 150_000 }, (_, at) => `a${at}=${at}`).join(' ')}>x</p>`],
  ])('%s', (_, html) => void sanitised(html));
});

describe('without a browser', () => {
  test('sanitising again changes nothing', () => {
    const inputs = allInputs();
    const changed = inputs.filter((input) => sanitised(sanitised(input)) !== sanitised(input));
    expect(changed.slice(0, 5)).toEqual([]);
  });

  test.each([
    ['elements that are never closed', '<foo>'.repeat(400_000)],
    ['elements that others close', '<div>'.repeat(120_000) + '</b>'.repeat(120_000)],
    ['more elements than an article has', '<b>x</b>'.repeat(250_000)],
    ['the same in plain HTML', `<p>${'<i>x</i>'.repeat(250_000)}</p>`],
    ['nested in plain HTML', '<div>'.repeat(201) + '</div>'.repeat(201)],
    ['attributes that browsers repeat', `<p>${bolds(190, 10_000)}${'<p>x</p>'.repeat(450)}`],
    ['such attributes beside a formula', `<math></math><p>${bolds(100, 2_000)}</p>${'<p>x</p>'.repeat(200)}`],
  ])('is left out by name: %s', (_, html) => {
    expect(() => sanitise(html, BASE)).toThrow(ArticleTooComplex);
  });

  test('a removed frame leaves what follows as it is, at any depth', () => {
    const frames = ['<iframe src="https://evil.example/"></iframe>', '<iframe>text</iframe>', '<iframe src="x"><b>y</b></iframe>']; // prettier-ignore
    for (const frame of frames)
      for (const tag of HTML_POLICY.tags)
        for (const [begin, end] of [
          ['', ''],
          ['<div>', '</div>'],
          ['<div><p>a</p><ul><li>', '</li></ul></div>'],
        ]) {
          const src = tag === 'iframe' ? ' src="https://www.youtube.com/embed/x"' : ' href="/a"';
          const after = `<${tag}${src}>inside</${tag}> <b>B</b> rest${end}`;
          expect(sanitise(`${begin}${frame}${after}`, BASE), tag).toBe(sanitise(`${begin}${after}`, BASE));
        }
  });

  test('the deepest and the longest articles of real blogs are far below the limits', () => {
    expect(sanitise('<div>'.repeat(200) + 'x' + '</div>'.repeat(200), BASE)).toContain('x');
    expect(sanitise('<br>'.repeat(99_999), BASE)).toContain('<br />');
  });
});
