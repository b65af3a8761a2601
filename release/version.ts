/** Major, minor and patch. */
type Version = readonly [number, number, number];

/**
 * Whether a version is the next patch, minor or major version after the current one.
 *
 * @throws Error if one is not of the form 1.2.3
 */
export function isNext(version: string, current: string): boolean {
  const [major, minor, patch] = parse(current);
  const next = [`${major}.${minor}.${patch + 1}`, `${major}.${minor + 1}.0`, `${major + 1}.0.0`];
  return next.includes(parse(version).join('.'));
}

function parse(version: string): Version {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)$/.exec(version) ?? [];
  if (patch === undefined) throw new Error(`"${version}" is not a version such as 1.2.3.`);
  return [Number(major), Number(minor), Number(patch)];
}
