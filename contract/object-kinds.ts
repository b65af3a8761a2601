import type { Directory, NameTableName } from './directory.ts';
import { FILTER_NAMES, FILTERS } from './filters.ts';
import type { NameTable } from './name-table.ts';
import type { ObjectHash } from './object-name.ts';

/** The kind of object that a name table leads to: those of filters (filters.ts) lead to sets. */
export function kindNamedBy(table: NameTableName): 'post' | 'author' | 'set' {
  return table === 'post' || table === 'author' ? table : 'set';
}

/** What the rest of the program must know of a kind. A kind that lacks an answer does not compile. */
interface KindRow<Kind> {
  /**
   * What names its objects. Building, verifying, pruning and publishing all follow this: an object that nothing
   * names is deleted.
   */
  readonly namedBy: Kind extends 'directory'
    ? 'the pointer'
    : Kind extends ReturnType<typeof kindNamedBy>
      ? 'name tables'
      : (directory: Directory) => readonly ObjectHash[];
  /** Whether packs hold copies (pack.ts). Objects that are asked for one at a time, by name, are not packed. */
  readonly packed: boolean;
  /** What their file names end with: `.json`, or nothing where the bytes may be anything. */
  readonly extension: '.json' | '';
}

const table = <Kind extends string>(rows: { readonly [K in Kind]: KindRow<K> }) => rows;

/** Every kind of object. snapshot.ts says what each holds. */
export const OBJECT_KINDS = table({
  directory: { namedBy: 'the pointer', packed: true, extension: '.json' },
  names: {
    namedBy: (directory: Directory) => nameTables(directory).flatMap(([, table]) => shardsOf(table)),
    packed: true,
    extension: '.json',
  },
  post: { namedBy: 'name tables', packed: false, extension: '.json' },
  page: { namedBy: ({ pages }: Directory) => pages, packed: true, extension: '.json' },
  views: { namedBy: ({ views }: Directory) => views, packed: true, extension: '.json' },
  popular: { namedBy: ({ popular }: Directory) => popular, packed: true, extension: '.json' },
  set: { namedBy: 'name tables', packed: true, extension: '.json' },
  search: { namedBy: ({ search }: Directory) => search.flat(), packed: true, extension: '.json' },
  author: { namedBy: 'name tables', packed: false, extension: '.json' },
  authors: { namedBy: ({ author_pages }: Directory) => author_pages, packed: true, extension: '.json' },
  categories: { namedBy: ({ categories }: Directory) => [categories], packed: true, extension: '.json' },
  tags: { namedBy: ({ tags }: Directory) => [tags], packed: true, extension: '.json' },
  overview: { namedBy: ({ overview }: Directory) => [overview], packed: true, extension: '.json' },
  file: { namedBy: ({ files }: Directory) => files.map(({ hash }) => hash), packed: false, extension: '' },
});

export type ObjectKind = keyof typeof OBJECT_KINDS;

export const ALL_KINDS: readonly ObjectKind[] = Object.keys(OBJECT_KINDS).filter(isObjectKind);

export function isObjectKind(name: string): name is ObjectKind {
  return Object.hasOwn(OBJECT_KINDS, name);
}

/** The objects of a kind that the directory itself names; none where the pointer or name tables do. */
export function namedByDirectory(kind: ObjectKind, directory: Directory): readonly ObjectHash[] {
  const { namedBy } = OBJECT_KINDS[kind];
  return typeof namedBy === 'function' ? namedBy(directory) : [];
}

/** The name tables of a directory. */
export function nameTables({ names }: Directory): readonly (readonly [NameTableName, NameTable])[] {
  const { post, author, ...filters } = names;
  const tables: [NameTableName, NameTable][] = [
    ['post', post],
    ['author', author],
  ];
  for (const name of FILTER_NAMES) {
    const { table } = FILTERS[name];
    const names = filters[table];
    if (names) tables.push([table, names]);
  }
  return tables;
}

function shardsOf(names: NameTable): readonly ObjectHash[] {
  return 'shards' in names ? names.shards : [];
}
