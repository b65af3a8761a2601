import type { Directory, NameTableName } from './directory.ts';
import type { ObjectHash } from './object-name.ts';

/** The kind of object that each name table leads to. */
export const TABLE_LEADS_TO = {
  post: 'post',
  author: 'author',
  in_category: 'set',
  with_tag: 'set',
  by_author: 'set',
} as const satisfies Record<NameTableName, string>;

/** What the rest of the program must know of a kind. A kind that lacks an answer does not compile. */
interface KindRow<Kind> {
  /**
   * What names its objects. Building, verifying, pruning and publishing all follow this: an object that nothing
   * names is deleted.
   */
  readonly namedBy: Kind extends 'directory'
    ? 'the pointer'
    : Kind extends (typeof TABLE_LEADS_TO)[NameTableName]
      ? 'name tables'
      : (directory: Directory) => readonly ObjectHash[];
  /** Whether packs hold copies (pack.ts). Objects that are asked for one at a time, by name, are not packed. */
  readonly packed: boolean;
}

const table = <Kind extends string>(rows: { readonly [K in Kind]: KindRow<K> }) => rows;

/** Every kind of object. snapshot.ts says what each holds. */
export const OBJECT_KINDS = table({
  directory: { namedBy: 'the pointer', packed: true },
  names: { namedBy: ({ names }: Directory) => Object.values(names).flatMap(shardsOf), packed: true },
  post: { namedBy: 'name tables', packed: false },
  page: { namedBy: ({ pages }: Directory) => pages, packed: true },
  views: { namedBy: ({ views }: Directory) => views, packed: true },
  popular: { namedBy: ({ popular }: Directory) => popular, packed: true },
  set: { namedBy: 'name tables', packed: true },
  search: { namedBy: ({ search }: Directory) => search.flat(), packed: true },
  author: { namedBy: 'name tables', packed: false },
  authors: { namedBy: ({ author_pages }: Directory) => author_pages, packed: true },
  categories: { namedBy: ({ categories }: Directory) => [categories], packed: true },
  tags: { namedBy: ({ tags }: Directory) => [tags], packed: true },
  overview: { namedBy: ({ overview }: Directory) => [overview], packed: true },
});

export type ObjectKind = keyof typeof OBJECT_KINDS;

export const ALL_KINDS: readonly ObjectKind[] = Object.keys(OBJECT_KINDS).filter(isObjectKind);

function isObjectKind(name: string): name is ObjectKind {
  return Object.hasOwn(OBJECT_KINDS, name);
}

/** The objects of a kind that the directory itself names; none where the pointer or name tables do. */
export function namedByDirectory(kind: ObjectKind, directory: Directory): readonly ObjectHash[] {
  const { namedBy } = OBJECT_KINDS[kind];
  return typeof namedBy === 'function' ? namedBy(directory) : [];
}

function shardsOf(names: Directory['names'][NameTableName]): readonly ObjectHash[] {
  return 'shards' in names ? names.shards : [];
}
