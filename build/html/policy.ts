/**
 * The HTML that articles may contain. Everything else is removed, but its text stays, except in `script`, `style` and
 * similar elements. Owners add hosts and classes in `offprint.json`; anything else needs a change here.
 */
export const HTML_POLICY = {
  tags: [
    // structure
    ...words('h1 h2 h3 h4 h5 h6 p br hr wbr div section article aside header footer address blockquote'),
    ...words('details summary figure figcaption'),
    // lists and tables
    ...words('ul ol li dl dt dd table caption colgroup col thead tbody tfoot tr th td'),
    // text
    ...words('a abbr b bdi bdo cite code data del dfn em i ins kbd mark pre q ruby rp rt s samp small span'),
    ...words('strong sub sup time u var'),
    // media
    ...words('img audio video source iframe'),
  ],

  /** Elements of formulas: MathML Core, without links. */
  formulas: [
    ...words(
      'math semantics annotation maction merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts',
    ),
    ...words(
      'mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none',
    ),
  ],

  /** Those without an end tag. */
  void: words('br hr wbr col img source'),

  /** Elements whose text is removed too: it is not for readers, or is not shown as text. */
  withoutText: words(
    'script style noscript template title object svg annotation-xml textarea option xmp noembed noframes plaintext',
  ),

  attributes: {
    '*': [
      ...words('id class title lang dir style role aria-label aria-hidden aria-describedby'),
      ...words('displaystyle mathbackground mathcolor mathsize mathvariant scriptlevel'),
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
    math: ['display'],
    annotation: ['encoding'],
    mfrac: ['linethickness'],
    mo: words('form fence separator lspace rspace stretchy symmetric maxsize minsize largeop movablelimits'),
    mover: ['accent'],
    mpadded: words('width height depth lspace voffset'),
    mspace: words('width height depth'),
    mtd: ['columnspan', 'rowspan'],
    munder: ['accentunder'],
    munderover: ['accent', 'accentunder'],
    ol: ['start', 'reversed', 'type'],
    q: ['cite'],
    td: ['colspan', 'rowspan', 'headers', 'align', 'valign'],
    th: ['colspan', 'rowspan', 'headers', 'scope', 'align', 'valign'],
    source: ['src', 'type'],
    time: ['datetime'],
    video: ['src', 'poster', 'controls', 'loop', 'muted', 'playsinline', 'width', 'height'],
  },

  /** Attributes with an address, which is made absolute and must have one of the schemes below. */
  addresses: ['href', 'src', 'cite', 'poster'],
  /** Of links: those that any site may handle by the HTML Standard, and others that open a page, a feed or a file. */
  schemes: [
    ...words(
      'http https bitcoin ftp ftps geo im irc ircs magnet mailto matrix mms news nntp openpgp4fpr sftp',
    ),
    ...words('sip sms smsto ssh tel urn webcal wtai xmpp feed gemini git gopher'),
  ],
  /** Images may also be `data:` URLs. They are shown as images and cannot run anything. */
  schemesByTag: {
    img: ['http', 'https', 'data'],
    audio: ['http', 'https'],
    video: ['http', 'https'],
    source: ['http', 'https'],
  } as Readonly<Record<string, string[]>>,

  /**
   * Players that may be embedded with `iframe`: a host and the beginning of the path; `*` matches one segment. Other
   * frames are removed. Other paths of these hosts may serve pages by anyone.
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

  /** Attributes of every frame; they override the author's. */
  frames: {
    // A player plays, can be cast, and opens its own page in a new tab. It cannot navigate the page that embeds it.
    sandbox: 'allow-scripts allow-same-origin allow-presentation allow-popups allow-popups-to-escape-sandbox',
    loading: 'lazy',
    // YouTube refuses to play without the embedding page's origin.
    referrerpolicy: 'strict-origin-when-cross-origin',
  },

  /** Semantic classes. Others could pick up styles of the site that shows the article. */
  classes: [
    ...words('language-* lang-* highlight* hljs* token* footnote* task-list* contains-task-list'),
    ...words('align* caption* wp-block-* wp-caption* kg-* embed* math*'),
  ],

  /** Styles of text: nothing that positions, sizes, loads, animates or prevents line breaks. */
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

  /** Patterns of numeric attributes, and of colours; attributes with another value are removed. */
  numbers: {
    // Pixels, or a percentage of the box.
    width: /^(?:\d{1,4}(?:px)?|100%|\d{1,2}%)$/,
    height: /^(?:\d{1,4}(?:px)?|100%|\d{1,2}%)$/,
    start: /^-?\d{1,4}$/,
    value: /^-?\d{1,4}$/,
    colspan: /^\d{1,3}$/,
    rowspan: /^\d{1,3}$/,
    span: /^\d{1,3}$/,
    columnspan: /^\d{1,3}$/,
    mathcolor: /^(?:#[0-9a-f]{3,8}|[a-z]{3,20})$/i,
    mathbackground: /^(?:#[0-9a-f]{3,8}|[a-z]{3,20})$/i,
  } as Readonly<Record<string, RegExp>>,
  /** The same for lengths in formulas. */
  lengths: {
    names: words('width height depth lspace rspace voffset linethickness mathsize minsize maxsize'),
    pattern:
      /^(?:-?(?:\d{1,2}(?:\.\d*)?|\.\d+)(?:em|ex|rem|ch)|-?\d{1,3}(?:\.\d+)?(?:px|pt|%)|0|thin|medium|thick)$/,
  },
};

/** Additions to the policy, from the owner's settings. */
export interface HtmlAdditions {
  /** `video.example` or `video.example/embed/`: hosts in lower case, without scheme or port. */
  readonly embeds: readonly string[];
  /** Class names; `*` matches anything: `note-*`. */
  readonly classes: readonly string[];
}

export const NO_ADDITIONS: HtmlAdditions = { embeds: [], classes: [] };

/** All allowed players and classes: the policy's and the owner's. */
export function withAdditions({ embeds, classes }: HtmlAdditions): HtmlAdditions {
  return {
    embeds: [...HTML_POLICY.embeds, ...embeds],
    classes: [...HTML_POLICY.classes, ...classes],
  };
}

/** Whether an attribute passes the policy's patterns for numbers, or none applies. */
export function isNumberAllowed(tag: string, name: string, value: string): boolean {
  const allowed = tag.startsWith('m') ? (LENGTHS.get(name) ?? NUMBERS.get(name)) : NUMBERS.get(name);
  // The value of `data` is not shown.
  return allowed === undefined || tag === 'data' || allowed.test(value.trim());
}

function words(text: string): string[] {
  return text.split(' ');
}

const NUMBERS = new Map(Object.entries(HTML_POLICY.numbers));
const LENGTHS = new Map(HTML_POLICY.lengths.names.map((name) => [name, HTML_POLICY.lengths.pattern]));
