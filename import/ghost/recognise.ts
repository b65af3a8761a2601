import type { Look } from '../sources/look.ts';

/** `{"db": [{"meta": …` and, in older exports, `{"meta": …, "data": {` or `{"data": {`. */
const EXPORT = /^\s*\{\s*(?:"db"\s*:\s*\[|"data"\s*:\s*\{|"meta"\s*:\s*\{\s*"(?:exported_on|version)"\s*:)/;
const WEB_PAGE = /<meta name="generator" content="Ghost\b|\/ghost\/api\/(?:content|admin)\//i;

export function recogniseGhost(look: Look): string | null {
  if (look.kind === 'address') return WEB_PAGE.test(look.beginning) ? 'a running Ghost' : null;
  return look.kind === 'file' && EXPORT.test(look.beginning) ? 'an export of Ghost' : null;
}
