/**
 * HTML that would cover the surrounding page with its link.
 */
import type { Random } from '../../bench/generate/random.ts';

const LARGE = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="4000" height="3000"><rect width="4000" height="3000" fill="red"/></svg>').toString('base64')}`;
const LINK = 'https://evil.example/';
const FRAME = 'https://www.youtube.com/embed/x';
const NBSP = '&nbsp;'.repeat(800);
const WORD = 'm'.repeat(800);
const GLUED = `<img src="${LARGE}" width="200" height="100">&#x2060;`.repeat(20);

const link = (inside: string, attributes = '') => `<a href="${LINK}"${attributes}>${inside}</a>`;
const image = `<img src="${LARGE}">`;
const nested = (begin: string, end: string, times: number, inside: string) =>
  begin.repeat(times) + inside + end.repeat(times);

export const ATTACKS: Readonly<Record<string, string>> = {
  'a link of no-break spaces, right to left': `<div dir="rtl">${link(NBSP, ' style="white-space:pre"')}</div>`,
  'a link of no-break spaces': `<p>${link(NBSP)}</p>`,
  'a link of no-break spaces that stands alone': link(NBSP, ' dir="rtl"'),
  'a link after no-break spaces': `${NBSP}${link('click')}`,
  'a link after no-break spaces in a line of its own': `<p dir="rtl">${NBSP}<b>${link('click')}</b></p>`,
  'a link between parts of no-break spaces': `<b>${'&nbsp;'.repeat(50)}</b>`.repeat(10) + link('click'),
  'a link that is a long word': `<p dir="rtl">${link(WORD)}</p>`,
  'a link of word joiners': `<p>${link('文&#x2060;'.repeat(300))}</p>`,
  'a link in nowrap': `<p style="white-space:nowrap">${link('click here '.repeat(200))}</p>`,
  'a link of spaces': `<p style="white-space:pre-wrap">${link(`click${' '.repeat(900)}`)}</p>`,
  'a link of spaces, right to left': `<p dir="rtl">${link(`click${' '.repeat(900)}click`, ' style="white-space:pre-wrap"')}</p>`,
  'a link of spaces in pre': `<pre>${link(`click${' '.repeat(900)}${image}`)}</pre>`,
  'a link in pre': `<pre dir="rtl">${link('click here '.repeat(200))}</pre>`,
  'a link around pre': link(`<pre dir="rtl">${'click here '.repeat(200)}</pre>`),
  'a link at the end of a line in pre': `<pre>${' '.repeat(900)}${link('click')}</pre>`,
  'a large image': `<p>${link(image)}</p>`,
  'a large image, right to left': `<div dir="rtl">${link(`<img src="${LARGE}" width="4000" height="3000">`)}</div>`,
  'a large image that says its size': `<img src="${LARGE}" width="9999" height="9999" align="right" hspace="900">`,
  'a large image of a share': `<img src="${LARGE}" width="900%" style="width:900%">`,
  'images in pre': `<pre dir="rtl">${link(image.repeat(5))}</pre>`,
  'images after spaces in pre': `<pre>${' '.repeat(900)}${image}</pre>`,
  'images that are glued': `<p dir="rtl">${GLUED}</p>`,
  'images that are glued, alone': GLUED,
  'an image that is glued to a long word': `<p>${WORD}&#x2060;${image}</p>`,
  'an image that is glued to a few': `<p>${'&nbsp;'.repeat(59)}&#x2060;${image}</p>`,
  'a large frame': link(`<iframe src="${FRAME}" width="4000" height="3000"></iframe>`),
  'a large frame, right to left': `<div dir="rtl"><iframe src="${FRAME}" width="4000" height="3000"></iframe></div>`,
  'frames after text that does not wrap': `<p>${WORD}<iframe src="${FRAME}"></iframe></p>`,
  'a large video': `<video src="${LINK}" width="4000" height="3000" controls></video>`,
  'a sound': `<p dir="rtl">${WORD}<audio src="${LINK}" controls></audio></p>`,
  'a table with many columns': `<table><tr>${`<td>${link('click')}</td>`.repeat(300)}</tr></table>`,
  'a table with many columns of images': `<table dir="rtl"><tr>${`<td>xxxxx${image}</td>`.repeat(100)}</tr></table>`,
  'a table that spans': `<table><tr><td colspan="999">a</td></tr><tr><td colspan="200">b</td><td colspan="500">${link('click')}</td></tr></table>`,
  'a table with columns that span': `<table><colgroup span="999"></colgroup><tr><td>${link('click')}</td></tr></table>`,
  'a table with long words': `<table><tr><td>${WORD}</td><td>${link(image)}</td></tr></table>`,
  'a table with code': `<table dir="rtl"><tr><td><pre>${WORD}</pre></td><td>${link(image)}</td></tr></table>`,
  'tables in tables': nested('<table><tr><td>x</td><td>', '</td></tr></table>', 25, link(image)),
  'a table in a link': `<a href="${LINK}"><table><tr>${'<td>xxxxxx</td>'.repeat(200)}</tr></table></a>`,
  'a caption': `<table><caption>${link(WORD)}${image}</caption><tr><td>a</td></tr></table>`,
  'deep lists': nested('<ul><li>', '</li></ul>', 60, link('click') + image),
  'deep lists, right to left': `<div dir="rtl">${nested('<ol><li>', '</li></ol>', 60, link('click') + image)}</div>`,
  'deep quotes': nested('<blockquote>', '</blockquote>', 60, link('click') + image),
  'deep definitions': nested('<dl><dd>', '</dd></dl>', 60, link('click') + image),
  'deep figures': nested('<figure>', '</figure>', 60, link('click') + image),
  'deep and wide': nested('<blockquote style="width:100%">', '</blockquote>', 6, link(image, ' style="width:100%"')),
  'wide figures': nested('<figure style="width:100%">', '</figure>', 12, image),
  'headings in headings': nested('<h1><div>', '</div></h1>', 12, link('click')),
  'headings of many kinds': nested('<h1><section><h2><div>', '</div></h2></section></h1>', 8, link('m')),
  'ruby': `<ruby>${image}<rt>${link(image)}</rt>${GLUED}<rt>${WORD}</rt></ruby>`,
  'ruby with a long word': `<p dir="rtl">${link(`<ruby>${WORD}<rt>${WORD}</rt></ruby>`)}</p>`,
  'ruby with images': `<p dir="rtl"><ruby>${image.repeat(9)}<rt>${image.repeat(9)}</rt></ruby></p>`,
  'ruby with a table': `<ruby>x<rt><table><tr>${`<td>xxxx${image}</td>`.repeat(12)}</tr></table></rt></ruby>`,
  'raised text': nested('<sup>', '</sup>', 80, link('click') + image),
  'lowered text': nested('<sub>', '</sub>', 80, link('click') + image),
  'reversed text': `<bdo dir="rtl">${link(`${WORD} ${WORD}`)}</bdo>`,
  'marks upon marks': `<p>${link(`a${'\u0300'.repeat(2000)}`)}</p>`,
  'marks upon many': `<p dir="rtl">${link('a\u0300\u0301\u0302'.repeat(300))}</p>`,
  'wide letters': `<p dir="rtl">${link('\ufdfd'.repeat(59))}</p>`,
  'widest letters': `<p>${link('\u{12031}'.repeat(29))} ${link('\u2e3b'.repeat(59))}</p>`,
  'large numbers': link('<ol start="2147483647"><li>a</li></ol><ol start="-2147483648"><li value="2147483640">a</li></ol>'),
  'styles that go out': `<p>${link(image, ' style="position:fixed;inset:0;margin:-900px;padding:900px;letter-spacing:90px;text-indent:-900px;font-size:900px;transform:scale(9);float:left;display:block;width:100%"')}</p>`,
  'details': `<details open><summary>${link(NBSP)}${image}</summary>${image}</details>`,
  'sizes of other pictures': `<picture><source srcset="${LARGE} 4000w" sizes="4000px"><img src="${LARGE}" srcset="${LARGE} 4000w" sizes="4000px"></picture>`,
}; // prettier-ignore

const CONTAINERS = [
  'div',
  'p',
  'blockquote',
  'figure',
  'ul><li',
  'dl><dd',
  'pre',
  'table><tr><td',
  'h1',
  'h3',
  'b',
  'a href="https://evil.example/"',
  'sup',
  'ruby',
  'ruby><rt',
  'details open',
  'details open><summary',
  'section',
  'code',
  'span',
  'bdo',
  'q',
];
const INSIDE = [
  image,
  `<img src="${LARGE}" width="3000" height="20">`,
  `<iframe src="${FRAME}" width="900" height="900"></iframe>`,
  '<audio controls></audio>',
  `<video src="${LINK}" width="3000"></video>`,
  '&nbsp;'.repeat(40),
  '&nbsp;'.repeat(90),
  '&#x2060;',
  'm'.repeat(55),
  'm'.repeat(100),
  ' ',
  'a b c',
  link('click'),
  link('m'.repeat(45)),
  '<br>',
  '<td>x</td>',
  '</tr><tr>',
  'text '.repeat(30),
];
const ATTRIBUTES = ['', '', '', ' dir="rtl"', ' dir="ltr"', ' dir="auto"', ' style="width:100%"', ' style="white-space:pre-wrap"', ' style="white-space:nowrap"', ' style="text-align:right"', ' style="vertical-align:super"', ' colspan="9"', ' align="right"']; // prettier-ignore

/** Nested elements with styles that could leave the box. */
export function randomAttack(random: Random): string {
  let html = '';
  for (let times = random.between(1, 5); times > 0; times--) html += random.pick(INSIDE);
  for (let times = random.between(1, 12); times > 0; times--) {
    const names = random.pick(CONTAINERS).split('><');
    const begin = names.map((name) => `<${name}${random.pick(ATTRIBUTES)}>`).join('');
    const end = names.map((name) => `</${name.split(' ')[0] ?? ''}>`).reverse().join(''); // prettier-ignore
    const copies = random.chance(0.1) ? random.between(2, 20) : 1;
    html = `${random.chance(0.3) ? random.pick(INSIDE) : ''}${begin}${html}${random.chance(0.3) ? random.pick(INSIDE) : ''}${end}`;
    if (html.length < 1_500) html = html.repeat(copies);
  }
  return html;
}
