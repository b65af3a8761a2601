import type { Hidden } from '../imported-item.ts';
import { findMeta, getText, type Item } from './item.ts';

/** Values of plug-ins' fields that mean no, nothing or nobody, including PHP's empty list. */
const NONE = /^(?:0|no|none|false|off|all|everybody|a:0:\{\}|a:1:\{i:0;s:\d+:"(?:all|none)?";\})$/i;

/** Fields by which plug-ins restrict a post, and the values that mean everybody. */
const RESTRICTIONS: readonly (readonly [field: string, open: RegExp])[] = [
  ['_jetpack_newsletter_access', NONE],
  // Members
  ['_members_access_role', NONE],
  // Restrict Content, and Restrict Content Pro
  ['_is_paid', NONE],
  ['rcp_subscription_level', NONE],
  ['rcp_access_level', NONE],
  ['rcp_user_level', NONE],
  ['rcUserLevel', NONE],
  // Paid Member Subscriptions; some posts are only for visitors who are not members
  ['pms-content-restrict-user-status', /^loggedout$/],
  ['pms-content-restrict-subscription-plan', NONE],
  // Ultimate Member: 2 means users who are logged in
  [
    'um_content_restriction',
    /^(?![^]*"_um_custom_access_settings";(?:s:1:"1"|b:1|i:1);)|^(?![^]*"_um_accessible";(?:s:1:"2"|i:2);)/,
  ],
  // Memberful: numbers of plans
  ['memberful_acl', /^(?![^]*[{;]i:\d)/],
  ['memberful_available_to_any_registered_user', NONE],
  // Patreon: an amount
  ['patreon-level', NONE],
];

/** Why WordPress does not show a post to everybody, now or from its date on; null: it does. */
export function whyHidden(item: Item): Hidden['reason'] | null {
  const status = getText(item, 'wp:status');
  if (status === 'trash') return 'trashed';
  if (status === 'private') return 'private';
  if (/^archived?$/.test(status)) return 'archived';
  // Others are unfinished (pending), or a plug-in's.
  if (status !== 'publish' && status !== 'future') return 'draft';
  // A password may be only spaces.
  if (!/^(?:\s*\n\s*)?$/.test(item.fields.get('wp:post_password') ?? '')) return 'password';
  return isRestricted(item) ? 'members' : null;
}

/** Whether a plug-in restricts the post to users who are logged in, subscribe or pay. */
function isRestricted(item: Item): boolean {
  return RESTRICTIONS.some(([field, open]) => {
    const value = findMeta(item, field);
    return value !== null && !open.test(value);
  });
}

/** Blocks whose text is only for users who pay or are logged in. */
const MEMBER_BLOCK =
  /^(?:(?:(?:jetpack|premium-content)\/)?subscriber-view|pmpro\/membership|woocommerce-memberships\/member-content)$/;

/** Shortcodes for members, for users who pay, and for users who are logged in. */
const MEMBER_SHORTCODE =
  /^(?:members?(?:[_-]?only)?|is_?(?:member|paid|logged_?in)|(?:user_)?logged_?in|private|premium(?:[_-]content)?|restrict(?:ed)?(?:[_-]content)?|(?:pms|wcm|rcp|swpm|mepr|wlm|ihc|um|pmpro)[_-][\w-]+|s2(?:If|Member)\w*|membership|protected|content_protector|passster|subscribers?(?:[_-]only)?|paywall)$/i;

/** @param attributes JSON, as written; Ultimate Member marks blocks of any kind */
export function isMemberBlock(name: string, attributes: string): boolean {
  return MEMBER_BLOCK.test(name) || /"um_is_restrict"\s*:\s*true/.test(attributes);
}

export function isMemberShortcode(name: string): boolean {
  return MEMBER_SHORTCODE.test(name);
}
