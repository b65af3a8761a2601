const UNRELEASED = '## [Unreleased]\n';

/**
 * The changelog with its unreleased changes as those of a version, below a new heading for the next.
 *
 * @param date as 2026-11-22
 * @throws Error where there is no unreleased change
 */
export function releaseChanges(changelog: string, version: string, date: string): string {
  const [before = '', after] = changelog.split(UNRELEASED);
  const changes = after?.split(/^## /m)[0] ?? '';
  if (!/^- /m.test(changes)) throw new Error('CHANGELOG.md has no change under Unreleased to release.');
  return `${before}${UNRELEASED}\n## [${version}] - ${date}\n${after ?? ''}`;
}
