/**
 * Attributes in which pages keep an address until a script puts it into `src`: lazysizes, lozad, vanilla-lazyload, a3 Lazy
 * Load, Smush and LiteSpeed (`data-src`), WP Rocket and Jetpack (`data-lazy-src`), jQuery Lazy Load (`data-original`), Slick
 * (`data-lazy`), NitroPack, Optimole, Cloudflare Mirage, Echo, Flickity, Ezoic, Breeze, Zhihu.
 */
export const LAZY_ADDRESSES = [
  'data-src',
  'data-lazy-src',
  'data-original',
  'data-lazy',
  'nitro-lazy-src',
  'data-opt-src',
  'data-cfsrc',
  'data-echo',
  'data-flickity-lazyload',
  'data-ezsrc',
  'data-breeze',
  'data-actualsrc',
] as const;

/** The same for `srcset`. */
export const LAZY_SRCSETS = ['data-srcset', 'data-lazy-srcset', 'nitro-lazy-srcset'] as const;

/** The same for the image behind an element, as `a.jpg`, `url(a.jpg)` or like `srcset`. */
export const LAZY_BACKGROUNDS = ['data-bg', 'data-background-image', 'data-bgset'] as const;

/** What stands for an address where there is no file. */
export const NO_FILE = /^(?:$|#|about:|data:|javascript:|\/\/:0)/i;

/** Whether such an attribute has an address. Some have `true`, and some a template that a script fills: `a_{width}x.jpg`. */
export function isLazyAddress(text: string): boolean {
  return /[./]/.test(text) && !NO_FILE.test(text) && !text.includes('{');
}
