const UNRELEASED = '## [Unreleased]\n';

/**
 * Moves the unreleased changes of the changelog to a version, and leaves an empty section Unreleased.
 *
 * @param date such as 2026-11-22
 * @throws Error if there are no unreleased changes
 */
export function releaseChanges(changelog: string, version: string, date: string): string {
  const [before = '', after] = changelog.split(UNRELEASED);
  const changes = after?.split(/^## /m)[0] ?? '';
  if (!/^- /m.test(changes)) throw new Error('CHANGELOG.md has no change under Unreleased to release.');
  return `${before}${UNRELEASED}\n## [${version}] - ${date}\n${after ?? ''}`;
}
