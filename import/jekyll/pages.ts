import * as v from 'valibot';
import { frontMatterFrom } from '../engine/front-value.ts';
import type { RenderedPage, Rendering } from '../engine/page.ts';
import { type PageRecord, parseFacts, recordsBelow } from '../engine/records.ts';
import { sourcesOf } from '../engine/source.ts';
import { EngineUnknown } from '../errors.ts';

const Text = v.nullable(v.string());

const Site = v.object({
  version: v.string(),
  title: Text,
  url: v.string(),
  author: v.unknown(),
  language: Text,
  messages: v.array(v.string()),
});

const Document = v.object({
  file: v.string(),
  url: v.string(),
  collection: v.string(),
  title: Text,
  date: Text,
  lead: Text,
  isDraft: v.boolean(),
  isPage: v.boolean(),
});

const Page = v.object({ file: v.string(), url: v.string() });

/**
 * A record's facts, as offprint_export.rb writes them: about the site, a document, or a page that is not a document.
 */
const Facts = v.union([
  v.object({ site: Site }),
  v.object({ document: Document, data: v.record(v.string(), v.unknown()) }),
  v.object({ page: Page }),
]);

/** Keys that Jekyll itself reads and reports as other facts. */
const OWN_KEYS = new Set(['published', 'permalink']);

export interface Output {
  /** The folder with the records. */
  readonly output: string;
  readonly mark: string;
  readonly root: string;
  /** Collections whose documents are posts, besides `posts`. */
  readonly collection?: readonly string[] | undefined;
  /** Only this language. */
  readonly language?: string | undefined;
}

interface Found {
  readonly record: PageRecord;
  readonly file: string;
  readonly url: string;
  readonly language: string | null;
  readonly document: v.InferOutput<typeof Document> | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The documents and pages in Jekyll's output. @throws EngineUnknown if there are none */
export async function pagesFrom({
  output,
  mark,
  root,
  collection = [],
  language,
}: Output): Promise<Omit<Rendering, 'by'> & { readonly version: string }> {
  let site: v.InferOutput<typeof Site> | undefined;
  const found: Found[] = [];
  for await (const record of recordsBelow(output, mark)) {
    const facts = parseFacts(Facts, record, 'Jekyll');
    if ('site' in facts) site ??= facts.site;
    else if ('page' in facts) found.push({ record, ...facts.page, language: null, document: null, data: {} });
    else {
      const { document, data } = facts;
      const { file } = document;
      const url = onSite(document.url, site?.url ?? '');
      found.push({ record, file, url, document, data, language: languageOf(data, site?.language ?? null) });
    }
  }
  if (site === undefined) throw new EngineUnknown('Jekyll', 'did not load the extension that it was given');
  const wanted = new Set(['posts', ...collection]);
  const own = (site.language ?? '').toLowerCase();
  const faults = faultsIn(site.messages);
  const sources = sourcesOf(found, root);
  return {
    version: site.version,
    site: {
      name: site.title,
      url: site.url || null,
      author: frontMatterFrom({ author: site.author ?? null }, new Set())['author'] ?? undefined,
      taxonomies: [],
    },
    pages: found.map((page) => {
      const noPost = whyNoPost(page, wanted) ?? otherLanguage(page, language?.toLowerCase(), own);
      return rendered(page, sources.get(page) ?? '', noPost, faults.get(page.file) ?? null);
    }),
  };
}

/** A site's address without `https://` is part of no page's address: then only the path is known. */
function onSite(url: string, site: string): string {
  return site !== '' && !URL.canParse(site) ? url.replace(/^[^/]*/, '') : url;
}

function languageOf(data: Readonly<Record<string, unknown>>, own: string | null): string | null {
  const said = [data['lang'], data['language'], data['locale']].find((value) => typeof value === 'string');
  const language = typeof said === 'string' ? said.trim().toLowerCase() : '';
  return language === '' || language === own?.toLowerCase() ? null : language;
}

function whyNoPost({ document }: Found, wanted: ReadonlySet<string>): string | null {
  if (document === null) return 'is a page, not a post';
  const { collection, isPage } = document;
  if (!wanted.has(collection)) return `is a document of the collection "${collection}", not a post`;
  return isPage ? null : `is a document of the collection "${collection}", which the site has no pages of`;
}

function otherLanguage({ language }: Found, wanted: string | undefined, own: string): string | null {
  if (wanted === undefined || wanted === (language ?? own)) return null;
  return `is not in the language "${wanted}"`;
}

/** Jekyll shows a document with broken front matter without it, even if it says that it is a draft. */
function faultsIn(messages: readonly string[]): ReadonlyMap<string, string> {
  const faults = new Map<string, string>();
  for (const message of messages) {
    const [, yaml, why = '', unread, error = ''] =
      /YAML Exception reading (.+?): ([^]*)|Error reading file (.+?): ([^]*)/.exec(message) ?? [];
    if (yaml !== undefined) faults.set(yaml, `has front matter that cannot be read: ${why.trim()}`);
    else if (unread !== undefined) faults.set(unread, `cannot be read: ${error.trim()}`);
  }
  return faults;
}

function rendered(
  { record, url, language, document, data }: Found,
  source: string,
  noPost: string | null,
  fault: string | null,
): RenderedPage {
  const { body } = record;
  return {
    ...{ source, noPost, fault, url, language, body },
    title: document?.title ?? '',
    date: document?.date ?? null,
    expires: null,
    isDraft: document?.isDraft ?? false,
    isListed: true,
    lead: document?.lead ?? null,
    files: [],
    frontMatter: frontMatterFrom(data, OWN_KEYS),
  };
}
