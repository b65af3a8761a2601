import type { ObjectHash } from './object-hash.ts';
import { isObjectKind, type NamedObject, type ObjectKind } from './object-kinds.ts';

export { isObjectHash, type ObjectHash, toObjectHash } from './object-hash.ts';

/**
 * The path of an object, from the root of the output: `objects/body/ab/abcd…`. Two characters of fan-out keep
 * folders small at 100,000 posts.
 */
export function objectPath(kind: ObjectKind, hash: ObjectHash): string {
  return `objects/${kind}/${hash.slice(0, 2)}/${hash}`;
}

/** The object that a path names; null: not the path of an object. */
export function objectAt(path: string): NamedObject | null {
  const [, kind = '', hash = ''] = /^objects\/(\w+)\/..\/([a-z2-7]{26})$/.exec(path) ?? [];
  return isObjectKind(kind) && objectPath(kind, hash) === path ? { kind, hash } : null;
}

/** The hash in the path of an object; null: not the path of an object. */
export function hashInPath(path: string): ObjectHash | null {
  return objectAt(path)?.hash ?? null;
}
