import * as v from 'valibot';
import {
  frontMatterFrom,
  PAGE_FACTS,
  type RenderedPage,
  renderedSite,
  type Rendering,
  SITE_FACTS,
} from '../engine/page.ts';
import { type Output, recordsBelow } from '../engine/records.ts';
import { EngineUnknown } from '../errors.ts';

const Site = v.object({
  ...SITE_FACTS,
  version: v.string(),
  language: v.nullable(v.string()),
  messages: v.array(v.string()),
});

/** A document of a collection, or a page that is not a document. */
const Page = v.object({
  ...PAGE_FACTS,
  collection: v.optional(v.nullable(v.string()), null),
  isPage: v.optional(v.boolean(), true),
});

/** A record's facts, as offprint_export.rb writes them: first about the site, then about each page. */
const Facts = v.union([
  v.object({ site: Site }),
  v.object({ page: Page, data: v.optional(v.record(v.string(), v.unknown()), {}) }),
]);

type Page = v.InferOutput<typeof Page>;

/** Keys that Jekyll itself reads and reports as other facts. */
const OWN_KEYS = new Set(['published', 'permalink']);

/**
 * The documents and pages in Jekyll's output.
 *
 * @param collection collections whose documents are posts, besides `posts`
 * @throws EngineUnknown if there are none
 */
export async function pagesFrom(
  output: Output,
  collection: readonly string[] = [],
): Promise<Omit<Rendering, 'by'> & { readonly version: string }> {
  let site: v.InferOutput<typeof Site> | undefined;
  let faults: ReadonlyMap<string, string> = new Map();
  const wanted = new Set(['posts', ...collection]);
  const pages: RenderedPage[] = [];
  // The site's record comes first.
  for await (const { facts, body } of recordsBelow(output, Facts, 'Jekyll')) {
    if ('site' in facts) {
      site ??= facts.site;
      faults = new Map([...faults, ...faultsIn(facts.site.messages)]);
      continue;
    }
    const { page, data } = facts;
    pages.push({
      ...page,
      url: onSite(page.url, site?.url ?? ''),
      noPost: whyNoPost(page, wanted),
      fault: faults.get(page.file) ?? null,
      language: findLanguage(data, site?.language ?? null),
      frontMatter: frontMatterFrom(data, OWN_KEYS),
      body,
    });
  }
  if (site === undefined) throw new EngineUnknown('Jekyll', "did not load the import's extension");
  const own = { language: site.language?.toLowerCase() ?? null, base: basePath(site.url) };
  return { version: site.version, site: renderedSite(site, own), pages };
}

/** A site's address without `https://` is part of no page's address: then only the path is known. */
function onSite(url: string, site: string): string {
  return site !== '' && !URL.canParse(site) ? url.replace(/^[^/]*/, '') : url;
}

/** Jekyll's filters put it before every path, and themes use them for paths in front matter. */
function basePath(site: string): string {
  return (URL.parse(site, 'https://blog.example')?.pathname ?? '').replace(/\/$/, '');
}

function findLanguage(data: Readonly<Record<string, unknown>>, own: string | null): string | null {
  const said = [data['lang'], data['language'], data['locale']].find((value) => typeof value === 'string');
  const language = typeof said === 'string' ? said.trim().toLowerCase() : '';
  return language === '' || language === own?.toLowerCase() ? null : language;
}

function whyNoPost({ collection, isPage }: Page, wanted: ReadonlySet<string>): string | null {
  if (collection === null) return 'is a page, not a post';
  if (!wanted.has(collection)) return `is a document of the collection "${collection}", not a post`;
  return isPage ? null : `is a document of the collection "${collection}", for which the site has no pages`;
}

/** Jekyll shows a document with broken front matter without it, even if it says that it is a draft. By file. */
function faultsIn(messages: readonly string[]): ReadonlyMap<string, string> {
  const faults = new Map<string, string>();
  for (const message of messages) {
    const [, yaml, why = '', unread, error = ''] =
      /YAML Exception reading (.+?): ([^]*)|(?:Error reading|could not read) file (.+?): ([^]*)/.exec(
        message,
      ) ?? [];
    if (yaml !== undefined) faults.set(yaml, `has front matter that cannot be read: ${why.trim()}`);
    else if (unread !== undefined) faults.set(unread, `cannot be read: ${error.trim()}`);
  }
  return faults;
}
