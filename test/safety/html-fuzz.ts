import type { Random } from '../../bench/generate/random.ts';
import { VECTORS } from './html-vectors.ts';

/** Inserted by mutations. */
const PIECES = [
  '<', '>', '"', "'", '`', '/', '=', '&', ';', '\0', '\t', '\n', '\r', '\f', '\u000b', '\u00a0', '\u200b', '\ufeff',
  '<!--', '-->', '--!>', '<![CDATA[', ']]>', '</', '/>', '<?', '<!', '&lt;', '&#x3c;', '&Tab;', '&NewLine;', '&colon;',
  '<script>', '</script>', '<style>', '</style>', '<svg>', '</svg>', '<math>', '</math>', '<mtext>', '<mi>', '<mfrac>', '<mspace width="1em">', '<mglyph>', '<table>', '<tr>',
  '<td>', '</table>', '<select>', '<option>', '<template>', '</template>', '<noscript>', '<textarea>', '<title>', '<xmp>',
  '<iframe>', '</iframe>', '<plaintext>', '<p>', '</p>', '<a href="', '<b>', '<form>', '</form>', '<foreignObject>',
  '<annotation-xml encoding="text/html">', '<desc>', '<li>', '<ul>', '<pre>', '<figure>', '<details open>', '<br>',
  ' onerror=canary(1) ', ' onclick="canary(1)" ', ' src=x ', ' id="', ' title="', ' class="language-', ' style="color:red;',
  'javascript:canary(1)', 'https://www.youtube.com/embed/x', 'https://evil.example/never', 'url(', 'canary(1)',
  ' data-src=', ' srcset="', ' class="lazy', '<img ', '</noscript>', '<picture>', '<source srcset=', '<lite-youtube videoid=', '<amp-img ', '<x-y>', '</x-y>',
  ' class="wp-block-cover" style="background:url(',
]; // prettier-ignore

const AROUND = ['table', 'select', 'svg', 'math', 'noscript', 'template', 'p', 'a', 'iframe', 'textarea', 'title',
  'style', 'pre', 'ul', 'li', 'td', 'details', 'figure', 'ruby', 'b', 'form', 'video', 'code', 'h1', 'dl']; // prettier-ignore

/** Random HTML: known vectors cut, joined, wrapped and mixed with pieces, or pieces alone. */
export function randomHtml(random: Random): string {
  if (random.chance(0.3))
    return Array.from({ length: random.between(1, 25) }, () => random.pick(PIECES)).join('');
  let html = random.pick(VECTORS);
  for (let times = random.between(1, 6); times > 0; times--) {
    const at = random.between(0, html.length);
    const [before, after] = [html.slice(0, at), html.slice(at)];
    const name = random.pick(AROUND);
    html = random.pick([
      () => before + random.pick(PIECES) + after,
      () => before + random.pick(PIECES) + after,
      () => before + after.slice(random.between(1, 5)),
      () => before + random.pick(VECTORS) + after,
      () => `<${name}>${html}${random.chance(0.5) ? `</${name}>` : ''}`,
      () => before + random.pick(VECTORS).slice(random.between(0, 40)),
    ])();
  }
  return html.slice(0, 5_000);
}
