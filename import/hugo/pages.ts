import * as v from 'valibot';
import { frontMatterFrom } from '../engine/front-value.ts';
import type { RenderedPage, Rendering } from '../engine/page.ts';
import { type PageRecord, parseFacts, recordsBelow } from '../engine/records.ts';
import { sourcesOf } from '../engine/source.ts';
import { EngineUnknown } from '../errors.ts';
import { decodePercent } from '../../common/content/slug.ts';

/** A page's record, as page.template writes it. */
const Page = v.object({
  kind: v.string(),
  url: v.string(),
  language: v.string(),
  file: v.string(),
});

const Post = v.object({
  ...Page.entries,
  kind: v.literal('page'),
  title: v.string(),
  section: v.string(),
  date: v.string(),
  publishDate: v.string(),
  expiryDate: v.string(),
  isDraft: v.boolean(),
  isListed: v.boolean(),
  lead: v.string(),
  files: v.nullable(v.array(v.string())),
  site: v.object({
    title: v.nullable(v.string()),
    url: v.string(),
    mainSections: v.unknown(),
    author: v.unknown(),
  }),
});

/** A list's record of its pages. */
const Listed = v.object({ file: v.string(), url: v.string(), section: v.string() });

const Facts = v.object({
  page: v.union([Post, Page]),
  pages: v.optional(v.nullable(v.array(Listed))),
  params: v.optional(v.nullable(v.record(v.string(), v.unknown()))),
});

type Post = v.InferOutput<typeof Post>;
type Page = v.InferOutput<typeof Page> | Post;

/** Keys that Hugo itself reads and reports as other facts. */
const OWN_KEYS = new Set([
  'draft',
  'published',
  'publishdate',
  'expirydate',
  'unpublishdate',
  'permalink',
  'build',
  '_build',
]);

export interface Output {
  /** Hugo's output folder. */
  readonly output: string;
  readonly mark: string;
  readonly root: string;
  /** In lower case. */
  readonly defaultLanguage: string;
  /** The sections of posts; default: the site's main sections. */
  readonly section?: readonly string[] | undefined;
  /** Only this language. */
  readonly language?: string | undefined;
}

/** A page that Hugo lists but did not render. */
interface Unwritten {
  readonly file: string;
  readonly url: string;
  readonly section: string;
  readonly language: string | null;
}

interface Found {
  readonly record: PageRecord;
  readonly facts: Page;
  readonly params: Readonly<Record<string, unknown>>;
  readonly file: string | null;
  readonly url: string;
  readonly language: string | null;
}

/** The pages in Hugo's output, by address. @throws EngineUnknown if there are none */
export async function pagesFrom({
  output,
  mark,
  root,
  defaultLanguage,
  section,
  language,
}: Output): Promise<Omit<Rendering, 'by'>> {
  const found: Found[] = [];
  const listed = new Map<string, Unwritten>();
  for await (const record of recordsBelow(output, mark)) {
    const { page: facts, pages, params } = parseFacts(Facts, record, 'Hugo');
    const code = facts.language.toLowerCase();
    const own = code === defaultLanguage ? null : code;
    const { file, url } = facts;
    found.push({ record, facts, params: params ?? {}, url, file: file || null, language: own });
    for (const page of pages ?? []) listed.set(`${code} ${page.file}`, { ...page, language: own });
  }
  for (const { facts } of found) listed.delete(`${facts.language.toLowerCase()} ${facts.file}`);
  const unwritten = [...listed.values()];
  if (found.length === 0) throw new EngineUnknown('Hugo', 'did not use the layouts that it was given');
  const pages = oncePerAddress(found).filter(({ facts, file }) => facts.kind === 'page' || file !== null);
  const sources = sourcesOf<Found | Unwritten>([...pages, ...unwritten], root, (path) =>
    path.endsWith('.gotmpl'),
  );
  const posts = pages.map(({ facts }) => facts).filter(isPost);
  const [own] = [...posts.filter((facts) => facts.language.toLowerCase() === defaultLanguage), ...posts];
  const sections = new Set(section ?? mainSections(posts, own));
  return {
    site: {
      name: own?.site.title ?? null,
      url: own?.site.url ?? null,
      author: frontMatterFrom({ author: own?.site.author ?? null }, new Set())['author'] ?? undefined,
    },
    pages: [
      ...pages.map((page) =>
        rendered(page, sources.get(page) ?? '', whyNoPost(page.facts, sections, language?.toLowerCase())),
      ),
      ...unwritten
        .filter((page) => sections.has(page.section))
        .map((page) => withoutRecord(page, sources.get(page) ?? '')),
    ],
  };
}

function isPost(facts: Page): facts is Post {
  return facts.kind === 'page';
}

/** Other output formats of a page (AMP, print) may be records too: the page is the one at its address. */
function oncePerAddress(found: readonly Found[]): Found[] {
  const pages = new Map<string, Found>();
  const isAtHome = ({ record, url }: Found): boolean =>
    URL.canParse(url) &&
    decodePercent(new URL(url).pathname).endsWith(`/${record.path}`.replace(/(?<=\/)index\.html$/, ''));
  for (const page of found) {
    const key = `${page.facts.kind} ${page.facts.language} ${page.url} ${page.file}`;
    const before = pages.get(key);
    if (before === undefined || (!isAtHome(before) && isAtHome(page))) pages.set(key, page);
  }
  return [...pages.values()];
}

/** As Hugo reports them; for an older Hugo that does not, the section with the most pages. */
function mainSections(posts: readonly Post[], own: Post | undefined): string[] {
  const said = own?.site.mainSections;
  const named = (Array.isArray(said) ? said : [said]).filter((name) => typeof name === 'string');
  if (named.length > 0) return named;
  const sizes = new Map<string, number>();
  for (const { section } of posts) sizes.set(section, (sizes.get(section) ?? 0) + 1);
  const [largest] = [...sizes].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return largest === undefined ? [] : [largest[0]];
}

function whyNoPost(facts: Page, sections: ReadonlySet<string>, language: string | undefined): string | null {
  if (!isPost(facts)) return `is the page of a ${facts.kind}, not a post`;
  if (!sections.has(facts.section)) {
    return facts.section === ''
      ? 'is a page in no section, not a post'
      : `is a page of the section "${facts.section}", not of the posts`;
  }
  if (language !== undefined && facts.language.toLowerCase() !== language) {
    return `is not in the language "${language}"`;
  }
  return null;
}

function rendered(
  { record, facts, params, url, language }: Found,
  source: string,
  noPost: string | null,
): RenderedPage {
  const { body } = record;
  const bare = { source, noPost, fault: null, url, language, body };
  if (!isPost(facts)) {
    const none = { title: '', date: null, expires: null, lead: null, files: [], frontMatter: {} };
    return { ...bare, ...none, isDraft: false, isListed: false };
  }
  const { title, isDraft, isListed, lead, files } = facts;
  return {
    ...{ ...bare, title, isDraft, isListed, lead: lead || null, files: files ?? [] },
    date: [facts.publishDate, facts.date].find((date) => !date.startsWith('0001-')) ?? null,
    expires: facts.expiryDate,
    frontMatter: frontMatterFrom(withTermsAsLists(params), OWN_KEYS),
  };
}

/** Its address belongs to another page, or cannot be a file. */
function withoutRecord({ url, language }: Unwritten, source: string): RenderedPage {
  return {
    ...{ source, url, language, noPost: null, title: '', date: null, expires: null, lead: null, files: [] },
    ...{ frontMatter: {}, isDraft: false, isListed: false, body: () => Promise.resolve('') },
    fault: `has the address ${url}, at which Hugo wrote no page of its own: another one may have it`,
  };
}

/** Hugo reads `tags: some words` as one tag. */
function withTermsAsLists(params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(params).map(([key, value]) => [
      key,
      /^(?:tags|categories)$/.test(key) && typeof value === 'string' ? [value] : value,
    ]),
  );
}
