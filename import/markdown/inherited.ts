import { posix } from 'node:path';
import { field, flagOf, foldedKey, textField, valuesOf } from './fields.ts';
import {
  asTable,
  isList,
  isTable,
  parseYaml,
  splitPage,
  type FrontMatter,
  type FrontValue,
} from './front-matter.ts';

/**
 * What a post inherits from its folders and site, as far as it affects visibility:
 *
 * - Hugo and Zola: a section that is a draft (`_index.md`) hides everything below it,
 * - Hugo: `cascade` in a section or in the configuration,
 * - Jekyll: `defaults` in the configuration,
 * - 11ty: data files in JSON (`posts/posts.json`, `posts/posts.11tydata.json`, `hello.11tydata.json`).
 */
export interface Inheritance {
  /** The post's front matter with inherited values; its own keys win. Null if there is neither. */
  readonly of: (path: string, own: FrontMatter | null) => FrontMatter | null;
}

interface Rule {
  readonly appliesTo: (path: string) => boolean;
  readonly values: FrontMatter;
  /** The keys that a post inherits from it. */
  readonly keys: ReadonlySet<string>;
}

const VISIBILITY = (
  'draft isdraft published publish build headless status visibility private permalink unlisted hidden archived ' +
  'eleventyexcludefromcollections'
).split(' ');

const KEYS = new Set(VISIBILITY);
/** Keys for the generator itself. 11ty's data is for templates too: `tags: posts` makes a list. */
const OWN_KEYS = new Set([
  ...VISIBILITY,
  ...'author authors category categories tag tags image cover lang language slug'.split(' '),
]);

/** @param read reads the text of a file; an unreadable file passes nothing on */
export async function readInheritance(
  paths: readonly string[],
  { config, root }: { readonly config: FrontMatter; readonly root: string },
  read: (path: string) => Promise<string>,
): Promise<Inheritance> {
  const rules = [
    ...cascades(field(config, 'cascade'), ''),
    ...jekyllDefaults(field(config, 'defaults'), root),
  ];
  // Outer folders first, so that the nearest wins.
  for (const path of paths.toSorted((a, b) => depth(a) - depth(b))) {
    const kind = /(?:^|\/)_index(?:\.[\w-]+)?\.(?:md|markdown|html)$/i.test(path)
      ? 'section'
      : dataFile(path);
    if (kind === null) continue;
    try {
      const text = await read(path);
      rules.push(...(kind === 'section' ? sectionRules(text, posix.dirname(path)) : kind(parseYaml(text))));
    } catch {
      // If it is a page, it is reported by itself.
    }
  }
  return { of: (path, own) => inherited(rules, path, own) };
}

function inherited(rules: readonly Rule[], path: string, own: FrontMatter | null): FrontMatter | null {
  const values: Record<string, FrontValue> = { __proto__: null };
  for (const rule of rules) {
    if (!rule.appliesTo(path)) continue;
    for (const [key, value] of Object.entries(rule.values)) {
      if (rule.keys.has(foldedKey(key))) values[foldedKey(key)] = value;
    }
  }
  if (Object.keys(values).length === 0) return own;
  const owned = new Set(Object.keys(own ?? {}).map(foldedKey));
  const table: Record<string, FrontValue> = { __proto__: null, ...own };
  for (const [key, value] of Object.entries(values)) if (!owned.has(key)) table[key] = value;
  return table;
}

function sectionRules(text: string, folder: string): Rule[] {
  const { frontMatter } = splitPage(text);
  if (frontMatter === null) return [];
  const below = folder === '.' ? '' : `${folder}/`;
  const isDraft = valuesOf(frontMatter, 'draft').some((value) => flagOf(value) === true);
  // A page's own front matter cannot override this.
  const hidden: Rule = { appliesTo: (path) => path.startsWith(below), values: { private: true }, keys: KEYS };
  return [...(isDraft ? [hidden] : []), ...cascades(field(frontMatter, 'cascade'), below)];
}

/** One table, or a list of tables with their targets. */
function cascades(value: FrontValue | undefined, below: string): Rule[] {
  return (isList(value) ? value : [value]).filter(isTable).map((values) => {
    const target = textField(values, 'target.path');
    const pattern = target === null ? null : globPattern(target);
    return {
      values,
      keys: OWN_KEYS,
      appliesTo: (path) =>
        path.startsWith(below) &&
        (pattern === null || pattern.test(`/${path.replace(/^(?:.*\/)?content\//, '')}`)),
    };
  });
}

/** As in Jekyll, the longest path wins, then a rule with a type, then the last rule. */
function jekyllDefaults(value: FrontValue | undefined, root: string): Rule[] {
  const rules = (isList(value) ? value : []).filter(isTable).flatMap((entry) => {
    const values = asTable(field(entry, 'values'));
    const scope = (textField(entry, 'scope.path') ?? '').replace(/^\/|\/$/g, '');
    const type = textField(entry, 'scope.type');
    if (values === null || (type !== null && !/^(?:posts?|drafts?)$/.test(type))) return [];
    const pattern = globPattern(`${scope}{,/**}`);
    const appliesTo = (path: string): boolean =>
      path.startsWith(root) && (scope === '' || pattern.test(path.slice(root.length)));
    return [{ values, keys: OWN_KEYS, appliesTo, rank: 2 * scope.length + Number(type !== null) }];
  });
  return rules.sort((a, b) => a.rank - b.rank);
}

/** Converts a data file of 11ty to a rule; null for other files. */
function dataFile(path: string): ((data: FrontValue) => Rule[]) | null {
  const [, folder = '', name = ''] = /^(.*\/)?([^/]+?)(?:\.11tydata)?\.json$/.exec(path) ?? [];
  if (name === '') return null;
  const isOfFolder = folder.split('/').at(-2) === name;
  const appliesTo = (post: string) =>
    isOfFolder ? post.startsWith(folder) : post.replace(/\.[^./]+$/, '') === folder + name;
  return (data) => (isTable(data) ? [{ values: data, appliesTo, keys: KEYS }] : []);
}

/** `**`, `*` and `{a,b}` as in generators, for the path with or without its extension. */
function globPattern(glob: string): RegExp {
  const source = glob.replace(/\*\*|[^\w/-]/g, (sign) => {
    if (sign === '**') return '.*';
    if (sign === '*') return '[^/]*';
    if (sign === '{') return '(?:';
    if (sign === '}') return ')';
    return sign === ',' ? '|' : `\\${sign}`;
  });
  try {
    return new RegExp(`^${source}(?:\\.\\w+)?$`, 's');
  } catch {
    return /^/; // If in doubt, it applies.
  }
}

function depth(path: string): number {
  return path.split('/').length;
}
