/**
 * What HTML an article may hold. Everything else is taken out; the text inside it stays, except inside
 * `script`, `style` and the like. An owner adds hosts and classes in `offprint.json`, and who wants more
 * widens these lists.
 */
export const HTML_POLICY = {
  tags: [
    // structure
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'hr', 'wbr', 'div', 'section', 'article', 'aside'],
    ...['header', 'footer', 'address', 'blockquote', 'details', 'summary', 'figure', 'figcaption'],
    // lists and tables
    ...['ul', 'ol', 'li', 'dl', 'dt', 'dd'],
    ...['table', 'caption', 'colgroup', 'col', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
    // text
    ...[
      'a',
      'abbr',
      'b',
      'bdi',
      'bdo',
      'cite',
      'code',
      'data',
      'del',
      'dfn',
      'em',
      'i',
      'ins',
      'kbd',
      'mark',
    ],
    ...[
      'pre',
      'q',
      'ruby',
      'rp',
      'rt',
      's',
      'samp',
      'small',
      'span',
      'strong',
      'sub',
      'sup',
      'time',
      'u',
      'var',
    ],
    // media
    ...['img', 'audio', 'video', 'iframe'],
  ],

  /** Elements of which the text goes too: it is not for readers, or is no text where it is shown. */
  withoutText: [
    ...['script', 'style', 'noscript', 'template', 'title', 'object', 'svg', 'math'],
    ...['textarea', 'option', 'xmp', 'noembed', 'noframes', 'plaintext'],
  ],

  attributes: {
    '*': [
      'id',
      'class',
      'title',
      'lang',
      'dir',
      'style',
      'role',
      'aria-label',
      'aria-hidden',
      'aria-describedby',
    ],
    a: ['href', 'name', 'rel'],
    audio: ['src', 'controls', 'loop', 'muted'],
    blockquote: ['cite'],
    col: ['span'],
    colgroup: ['span'],
    data: ['value'],
    del: ['cite', 'datetime'],
    details: ['open'],
    iframe: ['src', 'width', 'height', 'allowfullscreen', 'loading', 'sandbox', 'referrerpolicy'],
    img: ['src', 'alt', 'width', 'height', 'loading'],
    ins: ['cite', 'datetime'],
    li: ['value'],
    ol: ['start', 'reversed', 'type'],
    q: ['cite'],
    td: ['colspan', 'rowspan', 'headers', 'align', 'valign'],
    th: ['colspan', 'rowspan', 'headers', 'scope', 'align', 'valign'],
    time: ['datetime'],
    video: ['src', 'poster', 'controls', 'loop', 'muted', 'playsinline', 'width', 'height'],
  },

  /** Attributes that hold an address; it is made absolute, and must have one of the schemes below. */
  addresses: ['href', 'src', 'cite', 'poster'],
  schemes: ['http', 'https', 'mailto', 'tel'],
  /** Pictures may also stand in the text itself. They are shown as images and cannot run anything. */
  schemesOfImages: ['http', 'https', 'data'],

  /**
   * Players that may be embedded with `iframe`: a host, and how its path begins; `*` is one name in a path.
   * Other frames are removed. The rest of such a host may serve anybody's pages.
   */
  embeds: [
    'www.youtube.com/embed/',
    'www.youtube-nocookie.com/embed/',
    'player.vimeo.com/video/',
    'www.dailymotion.com/embed/',
    'open.spotify.com/embed/',
    'w.soundcloud.com/player/',
    'codepen.io/*/embed/',
    'archive.org/embed/',
  ],

  /** Every frame has these, whatever its author wrote. */
  frames: {
    // A player plays, may be cast, and opens its own page in a new tab. It cannot navigate the page around it.
    sandbox: 'allow-scripts allow-same-origin allow-presentation allow-popups allow-popups-to-escape-sandbox',
    loading: 'lazy',
    // YouTube refuses to play without the embedding page's origin.
    referrerpolicy: 'strict-origin-when-cross-origin',
  },

  /** Classes that say what something is. Others could borrow the look of the site that shows the article. */
  classes: [
    ...[
      'language-*',
      'lang-*',
      'highlight*',
      'hljs*',
      'token*',
      'footnote*',
      'task-list*',
      'contains-task-list',
    ],
    ...['align*', 'caption*', 'wp-block-*', 'wp-caption*', 'kg-*', 'embed*', 'math*'],
  ],

  /** Styles that stay inside their box: nothing that moves, covers, loads, animates or keeps lines from wrapping. */
  styles: {
    'text-align': [/^(left|right|center|justify|start|end)$/],
    'vertical-align': [/^(top|middle|bottom|baseline|sub|super)$/],
    'font-weight': [/^(normal|bold|[1-9]00)$/],
    'font-style': [/^(normal|italic|oblique)$/],
    'text-decoration': [/^(none|underline|line-through)$/],
    'white-space': [/^(normal|pre-wrap|pre-line)$/],
    color: [/^#[0-9a-f]{3,8}$/i, /^[a-z]{3,20}$/i, /^rgba?\([\d\s,.%]{1,40}\)$/i],
    'background-color': [/^#[0-9a-f]{3,8}$/i, /^[a-z]{3,20}$/i, /^rgba?\([\d\s,.%]{1,40}\)$/i],
  },

  /** More styles for elements without margins or padding, which would add to the width. */
  stylesOf: {
    width: {
      tags: ['div', 'p', 'span', 'table', 'col', 'th', 'td', 'img', 'video', 'iframe'],
      values: [/^(100|\d{1,2}(\.\d{1,3})?)%$/],
    },
  },

  /** What a number may be; attributes with another value are removed. */
  numbers: {
    // Pixels, or a share of the box.
    width: /^(?:\d{1,4}(?:px)?|100%|\d{1,2}%)$/,
    height: /^(?:\d{1,4}(?:px)?|100%|\d{1,2}%)$/,
    // The number of a list item is written outside its list's box where it is long.
    start: /^-?\d{1,4}$/,
    value: /^-?\d{1,4}$/,
    colspan: /^\d{1,3}$/,
    rowspan: /^\d{1,3}$/,
    span: /^\d{1,3}$/,
  } as Readonly<Record<string, RegExp>>,
};

/** What the owner's settings add to the policy. */
export interface HtmlAdditions {
  /** `video.example` or `video.example/embed/`: hosts in lower case, without scheme or port. */
  readonly embeds: readonly string[];
  /** Class names; a `*` stands for anything: `note-*`. */
  readonly classes: readonly string[];
}

export const NO_ADDITIONS: HtmlAdditions = { embeds: [], classes: [] };

/** The players and classes that are allowed in all. */
export function widened({ embeds, classes }: HtmlAdditions): HtmlAdditions {
  return {
    embeds: [...HTML_POLICY.embeds, ...embeds],
    classes: [...HTML_POLICY.classes, ...classes],
  };
}

/** Whether an attribute is no number that the policy bounds, or stays within its bounds. */
export function isNumberAllowed(tag: string, name: string, value: string): boolean {
  const allowed = NUMBERS.get(name);
  // The value of `data` is not shown.
  return allowed === undefined || tag === 'data' || allowed.test(value.trim());
}

const NUMBERS = new Map(Object.entries(HTML_POLICY.numbers));
