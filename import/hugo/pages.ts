import * as v from 'valibot';
import { type ExportedPage, renderedPages, renderedSite, SITE_FACTS } from '../engine/exported.ts';
import { PAGE_FACTS, type Rendering } from '../engine/page.ts';
import { type Output, parseFacts, recordsBelow } from '../engine/records.ts';
import { EngineUnknown } from '../errors.ts';
import { decodePercent } from '../../common/content/slug.ts';

/** A page's facts, as page.template writes them; a list has only its kind, file, address and language. */
const Page = v.object({
  ...PAGE_FACTS,
  kind: v.string(),
  language: v.string(),
  section: v.optional(v.string(), ''),
  site: v.optional(
    v.object({ ...SITE_FACTS, mainSections: v.unknown(), taxonomies: v.nullable(v.array(v.string())) }),
  ),
});

/** A list's record of its pages. */
const Listed = v.object({ file: v.string(), url: v.string(), section: v.string() });

const Facts = v.object({
  page: Page,
  pages: v.optional(v.nullable(v.array(Listed))),
  params: v.optional(v.nullable(v.record(v.string(), v.unknown()))),
});

type Page = v.InferOutput<typeof Page>;
type Found = ExportedPage<Page>;

/** Keys that Hugo itself reads and reports as other facts. */
const OWN_KEYS = new Set([
  'draft',
  'published',
  'publishdate',
  'expirydate',
  'lastmod',
  'unpublishdate',
  'permalink',
  'build',
  '_build',
]);

interface Written extends Output {
  /** In lower case. */
  readonly defaultLanguage: string;
  /** The sections of posts; default: the site's main sections. */
  readonly section?: readonly string[] | undefined;
}

/** The pages in Hugo's output, by address. @throws EngineUnknown if there are none */
export async function pagesFrom({
  output,
  mark,
  root,
  defaultLanguage,
  section,
  language,
}: Written): Promise<Omit<Rendering, 'by'>> {
  const found: Found[] = [];
  const listed = new Map<string, Found>();
  const keyOf = ({ language, file }: Page): string => `${language.toLowerCase()} ${file}`;
  for await (const record of recordsBelow(output, mark)) {
    const { page: facts, pages, params } = parseFacts(Facts, record, 'Hugo');
    const own = facts.language.toLowerCase() === defaultLanguage ? null : facts.language.toLowerCase();
    const originOf = ({ file, url }: Page) => ({ file: file || null, url, language: own });
    found.push({
      ...originOf(facts),
      record,
      facts,
      data: withImages(withTermsAsLists(params ?? {}), facts),
    });
    for (const page of pages ?? []) {
      const unwritten = v.parse(Page, { ...page, kind: 'page', language: facts.language });
      listed.set(keyOf(unwritten), { ...originOf(unwritten), record: null, facts: unwritten, data: {} });
    }
  }
  if (found.length === 0) throw new EngineUnknown('Hugo', 'did not use the layouts that it was given');
  for (const { facts } of found) listed.delete(keyOf(facts));
  const pages = oncePerAddress(found).filter(({ facts, file }) => facts.kind === 'page' || file !== null);
  const posts = pages.map(({ facts }) => facts).filter(({ kind }) => kind === 'page');
  const [own] = [...posts.filter((facts) => facts.language.toLowerCase() === defaultLanguage), ...posts];
  const sections = new Set(section ?? mainSections(posts, own));
  const unwritten = [...listed.values()].filter(({ facts }) => sections.has(facts.section));
  return {
    site: renderedSite(own?.site, { taxonomies: own?.site?.taxonomies ?? [] }),
    pages: renderedPages([...pages, ...unwritten], {
      root,
      noPost: ({ record, facts }) =>
        record === null ? null : whyNoPost(facts, sections, language?.toLowerCase()),
      fault: ({ record, url }) => (record === null ? whyUnwritten(url) : null),
      ownKeys: OWN_KEYS,
      makesPages: (path) => path.endsWith('.gotmpl'),
    }),
  };
}

/** Other output formats of a page (AMP, print) may be records too: the page is the one at its address. */
function oncePerAddress(found: readonly Found[]): Found[] {
  const pages = new Map<string, Found>();
  const isAtHome = ({ record, url }: Found): boolean =>
    URL.canParse(url) &&
    decodePercent(new URL(url).pathname).endsWith(`/${record?.path}`.replace(/(?<=\/)index\.html$/, ''));
  for (const page of found) {
    const key = `${page.facts.kind} ${page.facts.language} ${page.url} ${page.file}`;
    const before = pages.get(key);
    if (before === undefined || (!isAtHome(before) && isAtHome(page))) pages.set(key, page);
  }
  return [...pages.values()];
}

/** As Hugo reports them; for an older Hugo that does not, the section with the most pages. */
function mainSections(posts: readonly Page[], own: Page | undefined): string[] {
  const said = own?.site?.mainSections;
  const named = (Array.isArray(said) ? said : [said]).filter((name) => typeof name === 'string');
  if (named.length > 0) return named;
  const sizes = new Map<string, number>();
  for (const { section } of posts) sizes.set(section, (sizes.get(section) ?? 0) + 1);
  const [largest] = [...sizes].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return largest === undefined ? [] : [largest[0]];
}

function whyNoPost(facts: Page, sections: ReadonlySet<string>, language: string | undefined): string | null {
  if (facts.kind !== 'page') return `is the page of a ${facts.kind}, not a post`;
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

/** Its address belongs to another page, or cannot be a file. */
function whyUnwritten(url: string): string {
  return `has the address ${url}, at which Hugo wrote no page of its own: another one may have it`;
}

/** Hugo's own templates look for `images` in the page's folder, then at the root of the site. */
function withImages(data: Readonly<Record<string, unknown>>, { files, site }: Page): Record<string, unknown> {
  const { images } = data;
  const root = URL.parse(site?.url ?? '')?.pathname.replace(/\/?$/, '/');
  if (!Array.isArray(images) || root === undefined) return data;
  const isAtRoot = (image: unknown) =>
    typeof image === 'string' && !/^(?:[a-z][a-z\d+.-]*:|\/)/i.test(image) && !files.includes(image);
  return {
    ...data,
    images: images.map((image: unknown) => (isAtRoot(image) ? `${root}${String(image)}` : image)),
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
