import {
  isLazyAddress,
  LAZY_ADDRESSES,
  LAZY_SRCSETS,
  NO_FILE,
} from '../../common/content/lazy-attributes.ts';
import { type Candidate, parseSrcset } from '../../common/content/srcset.ts';

type Attributes = Readonly<Record<string, string>>;

/** Names of files that libraries and themes show until the real one is loaded. */
const PLACEHOLDER =
  /(?:^|[._-])(?:placeholder|loading|loader|spinner|blank|spacer|transparent|trans|empty|pixel|gr[ae]y|clear|1x1|lazy)(?:[._-][\w.-]*)?\.(?:gif|svg|png|webp|jpe?g)$/i;
const LAZY_CLASS = /lazy|lozad/i;

/**
 * The address that visitors see of an image, frame, video or sound, if it is not that in `src`.
 *
 * Scripts for lazy loading replace a placeholder in `src` by the address in another attribute. `src` stands unless it is a
 * placeholder, which is one of these:
 *
 * - no address of a file: missing, empty, `#`, `about:`, `data:`;
 * - a file with the name of a placeholder, such as `loading.svg`;
 * - any address where a class or attribute says `lazy` or `lozad`, such as `lazyload`: then it may be a small preview.
 *
 * Instead of a placeholder stands the first of: an attribute of LAZY_ADDRESSES; the largest picture of LAZY_SRCSETS; and in
 * the first two cases, where browsers do so without a script, the largest of `srcset`, and that of the `picture` around it.
 * So `<img src="small.jpg" data-src="large.jpg">` stays small: nothing says that a script loads the large one at once; it is
 * usually that of a lightbox.
 *
 * @param ofPicture the address in the sources of the `picture`
 * @returns undefined: `src` stands; empty: there is a template that a script fills instead of an address
 */
export function findShownAddress(attributes: Attributes, ofPicture?: string): string | undefined {
  const src = (attributes['src'] ?? '').trim();
  const isNoPicture = NO_FILE.test(src) || hasNameOfPlaceholder(src);
  if (!isNoPicture && !saysLazy(attributes)) return undefined;
  const later =
    lazyAddresses(attributes).find(isLazyAddress) ??
    firstLargest(attributes, LAZY_SRCSETS) ??
    (isNoPicture ? (firstLargest(attributes, ['srcset']) ?? ofPicture) : undefined) ??
    (NO_FILE.test(src) && lazyAddresses(attributes).some((one) => one.includes('{')) ? '' : undefined);
  // The same file: Jetpack adds a parameter.
  const isSame = src !== '' && later?.startsWith(src) && /^[?&]/.test(later.slice(src.length));
  return isSame ? undefined : later;
}

/** Whether `src` is a placeholder, by the rule of findShownAddress. */
export function isPlaceholder(attributes: Attributes): boolean {
  const src = (attributes['src'] ?? '').trim();
  return NO_FILE.test(src) || hasNameOfPlaceholder(src) || saysLazy(attributes);
}

/** The address of the largest picture in the sources of a `picture`. */
export function sourceAddress(attributes: Attributes): string | undefined {
  return firstLargest(attributes, [...LAZY_SRCSETS, 'srcset']);
}

/** All addresses of files in the attributes of an element. */
export function addressesIn(attributes: Attributes): string[] {
  const single = [(attributes['src'] ?? '').trim(), ...lazyAddresses(attributes)];
  const candidates = ['srcset', ...LAZY_SRCSETS].flatMap((name) => parseSrcset(attributes[name] ?? ''));
  return [...single, ...candidates.map(({ address }) => address)].filter(isLazyAddress);
}

/** In bLazy's, another one for sharper screens follows: `a.jpg|b.jpg`. */
function lazyAddresses(attributes: Attributes): string[] {
  return LAZY_ADDRESSES.map((name) => (attributes[name] ?? '').replace(/\|.*$/s, '').trim());
}

function hasNameOfPlaceholder(src: string): boolean {
  const [path = ''] = src.split(/[?#]/, 1);
  return PLACEHOLDER.test(path.slice(path.lastIndexOf('/') + 1).slice(-100));
}

function saysLazy(attributes: Attributes): boolean {
  return (
    LAZY_CLASS.test(attributes['class'] ?? '') ||
    Object.keys(attributes).some((name) => name.includes('lazy'))
  );
}

/** The address of the largest picture in the first of these attributes that has any. */
function firstLargest(attributes: Attributes, names: readonly string[]): string | undefined {
  for (const name of names) {
    let largest: Candidate | undefined;
    for (const candidate of parseSrcset(attributes[name] ?? '')) {
      if (isLazyAddress(candidate.address) && candidate.size > (largest?.size ?? 0)) largest = candidate;
    }
    if (largest) return largest.address;
  }
  return undefined;
}
