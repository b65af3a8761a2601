/** The OpenAPI 3.1 description of a tree: its files, without keys, limits and query parameters. */
import { API_NAME, API_VERSION, PER_PAGE_MAX } from '../../contract/api.ts';
import { cutTexts } from '../description/examples.ts';
import { OPERATIONS, TAGS } from '../description/operations.ts';
import { record, refersTo, type Schema, SCHEMAS, successSchema } from '../description/schemas.ts';
import { fileName } from './file-name.ts';
import { type AnswerKind, KINDS, PATHS } from './paths.ts';
import type { TreeExamples } from './tree.ts';

interface FileDescription extends Pick<
  (typeof OPERATIONS)['post'],
  'operationId' | 'tag' | 'summary' | 'data'
> {
  /** The fields of `links`; an article has none. */
  readonly links: Schema | null;
}

const path: Schema = { type: 'string', description: 'Relative to this file.' };
const pathOrNull: Schema = { ...path, type: ['string', 'null'] };
const items: Schema = {
  type: 'array',
  items: path,
  description: 'The file of each item, in the same order.',
};
const linksSchema = (fields: Readonly<Record<string, Schema>>): Schema =>
  record('Other files, relative to this one.', fields);
const LIST_LINKS = linksSchema({ first: path, prev: pathOrNull, next: pathOrNull, last: path, items });
const itemsSchema = (name: keyof typeof SCHEMAS, more: Readonly<Record<string, Schema>> = {}): Schema =>
  record('Records of the list.', { items: { type: 'array', items: refersTo(name) }, ...more });
const NEWEST = itemsSchema('PostSummary', { meta: { $ref: '#/components/schemas/ListMeta' } });

/** The newest articles of a list. */
const posts = (operationId: string, summary: string): FileDescription => ({
  ...OPERATIONS.posts,
  operationId,
  summary,
  data: NEWEST,
  links: LIST_LINKS,
});
/** A full page of its older articles. */
const archive = (operationId: string, summary: string): FileDescription => ({
  ...posts(operationId, summary),
  data: itemsSchema('PostSummary'),
});

const ListMeta = record('The complete list.', {
  page: { type: 'integer', const: 1, description: 'This file is the first.' },
  per_page: { type: 'integer', minimum: 1, description: 'Articles in each file of the archive.' },
  last_page: { type: 'integer', minimum: 1, description: 'Number of files in the list, including this one.' },
  total: { type: 'integer', minimum: 0, description: 'Number of articles in the list.' },
});

/** Each kind of file, as in the API if the API has the same. */
const FILES: Readonly<Record<AnswerKind, FileDescription>> = {
  overview: {
    ...OPERATIONS.overview,
    data: record('The kinds of files.', {
      name: { type: 'string' },
      version: { type: 'string', const: API_VERSION },
      endpoints: {
        type: 'array',
        items: { type: 'string' },
        description: 'Method and path of each kind of file.',
      },
      per_page: { type: 'integer', description: 'Articles in each file of an archive.' },
    }),
    links: linksSchema({
      posts: path,
      popular_posts: path,
      categories: path,
      tags: path,
      authors: path,
      openapi: path,
      documentation: path,
    }),
  },
  posts: posts('listPosts', 'List articles, newest first'),
  postsArchive: archive('listArchivedPosts', 'List older articles'),
  popularPosts: {
    ...archive('listPopularPosts', `List the ${PER_PAGE_MAX} most viewed articles`),
    links: linksSchema({ items }),
  },
  post: { ...OPERATIONS.post, data: refersTo('Post'), links: null },
  categories: { ...OPERATIONS.categories, links: linksSchema({ items }) },
  category: posts('listPostsInCategory', 'List the articles of a category'),
  categoryArchive: archive('listArchivedPostsInCategory', 'List older articles of a category'),
  tags: { ...OPERATIONS.tags, links: linksSchema({ items }) },
  tag: posts('listPostsWithTag', 'List the articles with a tag'),
  tagArchive: archive('listArchivedPostsWithTag', 'List older articles with a tag'),
  authors: { ...OPERATIONS.authors, data: itemsSchema('Author'), links: linksSchema({ items }) },
  author: { ...OPERATIONS.author, links: linksSchema({ posts: path }) },
  postsByAuthor: posts('listPostsByAuthor', 'List the articles of an author'),
  postsByAuthorArchive: archive('listArchivedPostsByAuthor', 'List older articles of an author'),
};

/** Each kind of file, in the order of the reference. */
export const LISTED_FILES = TAGS.flatMap(({ name }) => KINDS.filter((kind) => FILES[kind].tag === name)).map(
  (kind) => ({
    tag: FILES[kind].tag,
    summary: FILES[kind].summary,
    path: `/${PATHS[kind]}`,
  }),
);

const ENCODED =
  'Characters other than a to z, 0 to 9, hyphen, underscore and dot are encoded as their UTF-8 bytes, each as `~` and two hexadecimal digits. `links` has paths that are already encoded.';

/** @param examples a file of each kind, for the examples of bodies and names */
export function describeTree(site: string, perPage: number, examples: TreeExamples): Record<string, unknown> {
  const { PostSummary, Post, Category, Tag, Author } = SCHEMAS;
  return {
    openapi: '3.1.0',
    info: {
      title: `${site}: ${API_NAME}`,
      version: API_VERSION,
      summary: 'Published articles, categories, tags and authors, as JSON files.',
      description: introduction(perPage),
      license: { name: 'MIT for the interface; articles belong to their authors', identifier: 'MIT' },
    },
    servers: [{ url: API_VERSION, description: site }],
    security: [],
    tags: TAGS.map((tag) =>
      tag.name === 'About' ? { ...tag, description: 'An overview of the files' } : tag,
    ),
    paths: Object.fromEntries(
      KINDS.map((kind) => [`/${PATHS[kind]}`, { get: describeFile(kind, examples) }]),
    ),
    components: {
      responses: { NotFound: { description: 'There is no such file. The body depends on the host.' } },
      schemas: { PostSummary, Post, Category, Tag, Author, ListMeta },
    },
  };
}

function introduction(perPage: number): string {
  return `Plain files: \`GET\` and \`HEAD\`, no keys, no limits, no parameters. Each is JSON,
\`{"success":true,"data":…}\`; all fields are always present, and a field without a value is \`null\`. Next to \`data\`, \`links\` has the paths of other files, relative to the file. A
list of articles begins with the newest, ${perPage} to ${2 * perPage - 1} of them, and \`links.next\` leads to older ones, ${perPage} in each file.`;
}

function describeFile(kind: AnswerKind, examples: TreeExamples): Schema {
  const { operationId, tag, summary, data, links } = FILES[kind];
  const example = examples.get(kind);
  const schema = links === null ? successSchema(data) : successSchema(data, { links });
  return {
    operationId,
    tags: [tag],
    summary,
    parameters: pathParameters(kind, example?.name),
    responses: {
      200: {
        description: 'The file.',
        content: {
          'application/json': {
            schema,
            ...(example && {
              examples: { real: { summary: 'From this blog', value: cutTexts(JSON.parse(example.text)) } },
            }),
          },
        },
      },
      404: { $ref: '#/components/responses/NotFound' },
    },
  };
}

function pathParameters(kind: AnswerKind, example: string | undefined): readonly Schema[] {
  return [...PATHS[kind].matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    ...(name === 'page'
      ? {
          description: 'The page of the archive; 1 has the oldest articles.',
          schema: { type: 'integer', minimum: 1 },
          example: 1,
        }
      : {
          description: `The ${name}. ${ENCODED}`,
          schema: { type: 'string', minLength: 1 },
          ...(example === undefined ? {} : { example: fileName(example) }),
        }),
  }));
}
