// Difficult rows: names that are special to file systems, URLs, JavaScript, SQL or Unicode; equal times and counts;
// missing optional fields.

export interface OddTerm {
  readonly slug: string;
  readonly name: string;
}

export interface OddAuthor {
  readonly username: string;
  readonly name: string;
  readonly avatar: string | null;
}

/** Composed and decomposed: equal to readers, different in bytes. */
const CAFE = { composed: 'caf\u00e9', decomposed: 'cafe\u0301' } as const;

/** Slugs and usernames that a URL cannot contain: the build skips them. */
export const refusedNames: readonly string[] = ['..', '.', 'a/b', '/', '../../../etc/passwd'];

/** Slugs and usernames that are difficult in file systems, URLs or object keys. */
export const oddNames: readonly string[] = [
  '...',
  'con',
  'nul.txt',
  'trailing.',
  '%2e',
  '%2F',
  '%',
  '%00',
  'a+b',
  'a b',
  ' padded ',
  'q?x=1#y',
  'a&b=c',
  'semi;colon',
  'back\\slash',
  'quote"s',
  "it's",
  '<b>',
  '$&',
  '{slug}',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  'null',
  'undefined',
  'true',
  '2024',
  '0',
  '-1',
  '1e3',
  'Case',
  'case',
  'CASE',
  CAFE.composed,
  CAFE.decomposed,
  'stra\u00dfe',
  'STRASSE',
  '\u0130stanbul',
  '\u0131stanbul',
  '\ufb01sh',
  'fish',
  '\uff21\uff22\uff23',
  '\u65e5\u672c\u8a9e',
  '\u0627\u0644\u0639\u0631\u0628\u064a\u0629',
  '\ud83e\udd80',
  '\ud83d\udc69\u200d\ud83d\udcbb',
  '\u0443\u043c\u043e\u043c-\u0420\u043e\u0441\u0441\u0438\u044e',
  'zero\u200bwidth',
  'snapshot.json',
  'index',
];

export const categories: readonly OddTerm[] = [
  { slug: 'news', name: 'News' },
  { slug: 'News', name: 'News with a capital' },
  { slug: CAFE.composed, name: 'Caf\u00e9' },
  { slug: CAFE.decomposed, name: 'Cafe\u0301' },
  { slug: '..', name: 'Dots' },
  { slug: 'a/b', name: 'Slash' },
  { slug: 'con', name: 'Console' },
  { slug: '%2e', name: 'Percent' },
  { slug: '__proto__', name: '__proto__' },
  { slug: 'constructor', name: 'constructor' },
  { slug: '2024', name: '2024' },
  { slug: '\ud83e\udd80', name: '\ud83e\udd80 crab' },
  { slug: 'full-width', name: '\uff41 full-width' }, // Sorts after the crab in UTF-16, before it by code point.
  { slug: 'q?&=#+', name: 'Question & <answer>' },
  { slug: 'with space', name: 'With space' },
  { slug: 'x'.repeat(200), name: 'As long as a filter may be' },
  { slug: 'twins-b', name: 'Twins' },
  { slug: 'twins-a', name: 'Twins' },
  { slug: 'apple', name: 'apple' },
  { slug: 'zebra', name: 'Zebra' },
  { slug: 'aepfel', name: '\u00c4pfel' },
  { slug: 'empty', name: 'Without posts' },
  { slug: 'drafts-only', name: 'With drafts alone' },
];

export const authors: readonly OddAuthor[] = [
  { username: 'ada', name: 'Ada', avatar: 'https://blog.example/ada.png' },
  { username: 'Ada', name: 'Another Ada', avatar: null },
  { username: `jos${CAFE.composed.slice(-1)}`, name: 'Jos\u00e9', avatar: null },
  { username: `jos${CAFE.decomposed.slice(-2)}`, name: 'Jose\u0301', avatar: null },
  { username: '__proto__', name: 'Proto', avatar: null },
  { username: 'constructor', name: 'Constructor', avatar: 'https://blog.example/c.png?a=1&b=%222%22' },
  { username: '...', name: 'Dots', avatar: null },
  { username: 'a\\b', name: 'Backslash', avatar: null },
  { username: '%2F', name: 'Percent', avatar: null },
  { username: 'a+b c', name: 'Plus', avatar: null },
  { username: '2024', name: '2024', avatar: null },
  { username: '\uc791\uac00', name: '\uc791\uac00', avatar: null },
  { username: '\ud83e\udd80', name: '\ud83e\udd80', avatar: null },
  { username: '\uff41', name: 'Full-width', avatar: null },
  { username: 'l'.repeat(200), name: 'Long', avatar: null },
  { username: 'idle', name: 'Has written nothing', avatar: 'https://blog.example/idle.png' },
  { username: 'drafter', name: 'Has drafts alone', avatar: null },
  { username: 'planner', name: 'Has posts in the future alone', avatar: null },
];

export const tags: readonly OddTerm[] = [
  { slug: 'cpp', name: 'C++' },
  { slug: 'csharp', name: 'C#' },
  { slug: 'c', name: 'C' },
  { slug: 'machine-learning', name: 'Machine Learning' },
  { slug: 'well-known', name: 'well-known' },
  { slug: 'well-known-2', name: 'Well Known' }, // With a hyphen for its space, equal to the tag before it.
  { slug: 'golang', name: 'Go' },
  { slug: 'go', name: 'Golang' }, // Each one's name is the other's slug.
  { slug: 'Rust', name: 'Rust' },
  { slug: 'rust', name: 'RUST' }, // Two tags that differ only in case.
  { slug: 'istanbul', name: '\u0130stanbul' },
  { slug: 'isparta', name: '\u0131sparta' },
  { slug: 'strasse', name: 'Stra\u00dfe' },
  { slug: 'grosse', name: 'GRO\u1e9eE' },
  { slug: 'ligature', name: '\ufb01ligree' },
  { slug: 'cafe-1', name: 'Caf\u00e9' },
  { slug: 'cafe-2', name: 'Cafe\u0301 noir' },
  { slug: '__proto__', name: '__proto__' },
  { slug: 'constructor', name: 'constructor' },
  { slug: 'to-string', name: 'toString' },
  { slug: '2024', name: '2024' },
  { slug: '\u65e5\u672c\u8a9e', name: '\u65e5\u672c\u8a9e' },
  { slug: 'arabic', name: '\u0627\u0644\u0639\u0631\u0628\u064a\u0629' },
  { slug: 'crab', name: '\ud83e\udd80 rust crab' },
  { slug: 'per-cent', name: '100%' },
  { slug: 'under_score', name: 'a_b' },
  { slug: 'quote', name: 'say "hello"' },
  { slug: 'backslash', name: 'back\\slash' },
  { slug: 'comma', name: 'a, b' },
  { slug: 'one,two', name: 'A comma in its slug' },
  { slug: 'slash/ed', name: 'a/b' },
  { slug: 'dots', name: '..' },
  { slug: 'sigma', name: '\u039f\u0394\u039f\u03a3' },
  { slug: 't'.repeat(200), name: 'As long as a filter may be' },
  { slug: 'unused', name: 'On no post' },
  { slug: 'drafts-only', name: 'On drafts alone' },
];

/** Titles and descriptions for searches: every letter that folds or combines, or is special in SQL. */
export const oddTexts: readonly (readonly [title: string, description: string | null])[] = [
  ['100% of it', 'A per cent sign, and an under_score'],
  ['under_score % and \\ backslash', 'Quotes " and \' and `ticks`'],
  ["Robert'); DROP TABLE posts;--", 'A name from a comic'],
  ['<script>alert(1)</script> &amp; <b>bold</b>', 'Markup in a title is text'],
  ['\u0130STANBUL \u0131l\u0131k', '\u0130i I\u0131'],
  ['istanbul without dots', 'ISTANBUL'],
  ['Stra\u00dfe und STRASSE', 'Gro\u1e9ee Stra\u00dfen'],
  ['\ufb01ne \ufb02ight \ufb03 o\ufb03ce', 'fine flight office'],
  [
    '\uff26\uff35\uff2c\uff2c\uff37\uff29\uff24\uff34\uff28 \uff11\uff12\uff13',
    '\uff76\uff9e\uff77\uff9e half width kana',
  ],
  ['\u30ac\u30ae and \u30ab\u3099\u30ad\u3099', 'Composed and decomposed kana'],
  ['Caf\u00e9 composed', 'cafe\u0301 decomposed'],
  [
    'Zalgo t\u0334e\u0321x\u0322t\u0327',
    'Marks in an order that normalising changes: a\u0323\u0307 a\u0307\u0323',
  ],
  [
    '\u65e5\u672c\u8a9e\u306e\u691c\u7d22',
    '\u3053\u308c\u306f\u65e5\u672c\u8a9e\u3067\u3059\u3002\u7a7a\u767d\u306a\u3057\u3002',
  ],
  ['\u4e2d\u6587\u6807\u9898\u3000\u5168\u89d2\u7a7a\u683c', '\u641c\u7d22\u5f15\u64ce'],
  ['\u0627\u0644\u0639\u064e\u0631\u064e\u0628\u0650\u064a\u0651\u0629', '\ufdfa and \ufefb'],
  [
    '\u0648\u0633\u0644\u0645 \u0639\u0644\u064a\u0647 \u0627\u0644\u0644\u0647 \u0635\u0644\u0649',
    'The words of one letter, the other way round',
  ],
  ['\ud83e\udd80 and \ud83d\udc69\u200d\ud83d\udcbb and \ud83c\uddf9\ud83c\uddf7', 'Emoji \ud83d\ude00'],
  ['\u039f\u0394\u039f\u03a3 \u039f\u0394\u039f\u03a3\u0391', '\u03bf\u03b4\u03bf\u03c2 with a final sigma'],
  ['J\u030cazz', '\u01f0azz, and J\u030c again'],
  ['non\u00a0breaking\u00a0space', 'thin\u2009space, zero\u200bwidth'],
  ['\u00bd x\u00b2 \u2460 \u2122 \u212b', 'Letters that unfold'],
  ['tab\there and two  spaces', ' padded '],
  ['aaaaaaaaaa', 'a'],
  ['needle', null],
  ['in the middle', 'haystackneedlehaystack'],
  ['Ends with a need', 'le begins the description'],
  ['null', 'undefined'],
  ['__proto__', 'constructor'],
  ['42', '4 2'],
];
