import * as v from 'valibot';
import {
  frontMatterFrom,
  PAGE_FACTS,
  type RenderedPage,
  renderedSite,
  type Rendering,
  SITE_FACTS,
} from '../engine/page.ts';
import { type Output, type PageRecord, recordsBelow } from '../engine/records.ts';
import { EngineUnknown } from '../errors.ts';
import { decodePercent } from '../../common/content/slug.ts';

/** A page's facts, as page.template writes them; a list has only its kind, file, address and language. */
const Page = v.object({
  ...PAGE_FACTS,
  kind: v.string(),
  language: v.string(),
  section: v.optional(v.string(), ''),
  /** Of a home page: the files of all pages in lists, also of those that Hugo renders no page of. */
  all: v.optional(v.array(v.string()), []),
  /** Whether any list of its site contains it. */
  isListed: v.optional(v.boolean(), false),
  site: v.object({ ...SITE_FACTS, mainSections: v.unknown(), taxonomies: v.nullable(v.array(v.string())) }),
});

const Facts = v.object({ page: Page, params: v.optional(v.nullable(v.record(v.string(), v.unknown()))) });

type Page = v.InferOutput<typeof Page>;
type Found = PageRecord<v.InferOutput<typeof Facts>>;

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

/**
 * The pages in Hugo's output, by address.
 *
 * @param language the site's own, in lower case
 * @param section the sections of posts; default: the site's main sections
 * @throws EngineUnknown if there are none
 */
export async function pagesFrom(
  output: Output,
  language: string,
  section: readonly string[] | undefined,
): Promise<Omit<Rendering, 'by'>> {
  const found: Found[] = [];
  for await (const record of recordsBelow(output, Facts, 'Hugo')) found.push(record);
  if (found.length === 0)
    throw new EngineUnknown('Hugo', "did not use the import's layouts; the site may mount its own");
  const isOwn = (page: Page): boolean => page.language.toLowerCase() === language;
  const pages = oncePerAddress(found).filter(({ facts: { page } }) => page.kind === 'page' || page.file);
  const posts = pages.map(({ facts: { page } }) => page).filter(({ kind }) => kind === 'page');
  const all = found.map(({ facts }) => facts.page);
  const { site } = all.find(isOwn) ?? all[0] ?? {};
  const sections = new Set(section ?? mainSections(posts, site));
  const rendered = new Set(all.map(({ file }) => file));
  const unrendered = new Set(all.flatMap((page) => page.all).filter((file) => !rendered.has(file)));
  return {
    site: renderedSite(site, { language, taxonomies: site?.taxonomies ?? [] }),
    pages: [
      ...pages.map(({ facts: { page, params }, body }): RenderedPage => ({
        ...page,
        noPost: whyNoPost(page, sections),
        fault: null,
        language: isOwn(page) ? null : page.language.toLowerCase(),
        frontMatter: frontMatterFrom(withImages(withTermsAsLists(params ?? {}), page), OWN_KEYS),
        body,
      })),
      ...[...unrendered].map((file): RenderedPage => ({
        ...v.parse(v.object(PAGE_FACTS), { file, url: '' }),
        noPost: 'has no page of its own on the site',
        fault: null,
        language: null,
        frontMatter: {},
        body: '',
      })),
    ],
  };
}

/** Other output formats of a page (AMP, print) may be records too: the page is the one at its address. */
function oncePerAddress(found: readonly Found[]): Found[] {
  const pages = new Map<string, Found>();
  const isAtHome = ({ path, facts: { page } }: Found): boolean =>
    URL.canParse(page.url) &&
    decodePercent(new URL(page.url).pathname).endsWith(`/${path}`.replace(/(?<=\/)index\.html$/, ''));
  for (const record of found) {
    const { kind, language, url, file } = record.facts.page;
    const key = `${kind} ${language} ${url} ${file}`;
    const before = pages.get(key);
    if (before === undefined || (!isAtHome(before) && isAtHome(record))) pages.set(key, record);
  }
  return [...pages.values()];
}

/** As Hugo reports them; for an older Hugo that does not, the section with the most pages. */
function mainSections(posts: readonly Page[], site: Page['site'] | undefined): string[] {
  const said = site?.mainSections;
  const named = (Array.isArray(said) ? said : [said]).filter((name) => typeof name === 'string');
  if (named.length > 0) return named;
  const sizes = new Map<string, number>();
  for (const { section } of posts) sizes.set(section, (sizes.get(section) ?? 0) + 1);
  const [largest] = [...sizes].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return largest === undefined ? [] : [largest[0]];
}

function whyNoPost(page: Page, sections: ReadonlySet<string>): string | null {
  if (page.kind !== 'page') return `is a ${page.kind} page, not a post`;
  if (!sections.has(page.section)) {
    return page.section === ''
      ? 'is a page without a section, not a post'
      : `is a page of the section "${page.section}", not a post`;
  }
  return page.isListed ? null : 'is not in any list of the site';
}

/** Hugo's own templates look for `images` in the page's folder, then at the root of the site. */
function withImages(data: Readonly<Record<string, unknown>>, { files, site }: Page): Record<string, unknown> {
  const { images } = data;
  const root = URL.parse(site.url)?.pathname.replace(/\/?$/, '/');
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
