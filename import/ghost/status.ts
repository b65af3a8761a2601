import type { MetaRow, PostRow } from './tables.ts';

/**
 * Whether Ghost shows the post to everybody. Posts for members (`members`, `paid`, `tiers` and future values) are not
 * public, nor are posts that are only sent by e-mail.
 */
export function isPublic({ status, visibility }: PostRow, meta: MetaRow | undefined): boolean {
  const isByEmailAlone = isYes(meta?.email_only);
  return (
    /^(?:published|scheduled)$/.test(status ?? '') &&
    // Before exports had visibility, every post was public.
    (visibility === undefined || visibility === 'public') &&
    !isByEmailAlone
  );
}

/** Tools write flags in many forms: `1`, `"1"`, `"true"`. */
export function isYes(flag: unknown): boolean {
  if (typeof flag === 'string') return !/^(?:|0|false)$/i.test(flag.trim());
  return flag !== undefined && flag !== null && flag !== false && flag !== 0;
}
