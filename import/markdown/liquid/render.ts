import { Liquid, type Template } from 'liquidjs';
import { renderMarkdown } from '../../../common/content/markdown.ts';
import { momentIn } from '../../../common/content/moment.ts';
import { embedOf } from '../embed.ts';
import { dialectOf } from '../dialect.ts';
import { textField } from '../fields.ts';
import { documentPath } from '../permalink/jekyll.ts';
import type { Site } from '../site.ts';
import type { Surroundings } from '../tag.ts';
import { jekyllFilters } from './filters.ts';
import type { LiquidPage, LiquidSite } from './site.ts';
import { jekyllTags, type TagSite, unknownTag } from './tags.ts';
import { liquidPost, liquidPosts, liquidVariables } from './variables.ts';

/** Time limit for one text: templates may come from anywhere. */
const MAX_MILLISECONDS = 5_000;
const MAX_MEMORY = 5_000_000;
const MAX_TEXT = 10_000_000;

/** The text of a page after running its Liquid, or why it could not run. */
export type Rendered = { readonly text: string } | { readonly fault: string };

export type RenderLiquid = (body: string, page: LiquidPage, surroundings: Surroundings) => Rendered;

/** Runs Liquid as Jekyll does, with Jekyll's tags and filters and the site's own includes and data. */
export function liquidRenderer(
  site: Site,
  { includes, data, posts }: LiquidSite,
  paths: ReadonlySet<string>,
  now: Date,
): RenderLiquid {
  const baseurl = (textField(site.config, 'baseurl') ?? '').replace(/\/+$/, '');
  const url = (textField(site.config, 'url') ?? '').replace(/\/+$/, '');
  const engine = new Liquid({
    memoryLimit: MAX_MEMORY,
    renderLimit: MAX_MILLISECONDS,
    parseLimit: MAX_TEXT,
    strictFilters: false,
    jekyllWhere: true,
    preserveTimezones: true,
    // No template may read files of the machine.
    templates: {},
  });
  const markdown = (text: string): string =>
    renderMarkdown(text, { dialect: dialectOf(site, true), linkTo: (written) => written });
  for (const [name, filter] of Object.entries(jekyllFilters({ url, baseurl, markdown })))
    engine.registerFilter(name, filter);

  let current: Surroundings | null = null;
  const tagSite: TagSite = {
    include: (name) => includeNamed(name),
    link: (file) => linkTo(file),
    substitute: (name, rest) =>
      current === null ? '' : embedOf({ dialect: 'liquid', name, rest, closing: false, end: 0 }, current),
    lose: (what) => current?.lose(what),
  };
  for (const [name, tag] of Object.entries(jekyllTags(tagSite))) engine.registerTag(name, tag);
  const known = new Set(Object.keys(engine.tags));
  const parsedIncludes = new Map<string, Template[]>();
  const urls = new Map(posts.map((post) => [post.path, post.url]));
  /** Missing values that the text used: each is reported once. */
  let asked = new Set<string>();
  const missing = (value: string): null => {
    if (!asked.has(value)) current?.lose(`liquid value ${value}`);
    asked.add(value);
    return null;
  };
  const published = liquidPosts(posts, missing);
  const byPath = new Map(published.map((post) => [post.path, post]));
  const config = { ...site.config, url, baseurl, time: momentIn(site.zone, now.toISOString()) };
  const siteVariables = liquidVariables(config, { data }, published, missing);

  return (body, page, surroundings) => {
    current = surroundings;
    asked = new Set();
    const variables = {
      page: byPath.get(page.path) ?? liquidPost(page, missing),
      site: siteVariables,
      jekyll: { environment: 'production', version: '4.3.1' },
      // Jekyll's payload can be counted like a list: it has nine entries.
      count: 9,
    };
    try {
      return { text: String(engine.renderSync(parsed(body), variables)) };
    } catch (error) {
      return { fault: error instanceof Error ? error.message.replace(/, file:.*$/, '') : String(error) };
    } finally {
      current = null;
    }
  };

  /** Unknown tags of plug-ins must not stop the text. */
  function parsed(text: string): Template[] {
    const names = new Set([...text.matchAll(/\{%-?\s*(\w+)/g)].map(([, name = '']) => name));
    for (const name of names) {
      if (known.has(name) || PARTS.has(name) || name.startsWith('end')) continue;
      engine.registerTag(name, unknownTag(names.has(`end${name}`), tagSite));
    }
    return engine.parse(lenient(text));
  }

  function includeNamed(name: string): Template[] | null {
    const text = includes.get(name);
    if (text === undefined) return null;
    const templates = parsedIncludes.get(name) ?? parsed(text.replace(/^---\n[^]*?\n---\n/, ''));
    parsedIncludes.set(name, templates);
    return templates;
  }

  /** `_posts/2015-03-17-hello.md`, or `2015-03-17-hello`, with optional folders. */
  function linkTo(file: string): string | null {
    const [, folders = '', name = file] = /^(.*\/)?([^/]*)$/s.exec(file) ?? [];
    const own =
      urls.get(file) ??
      posts.find(
        ({ path }) =>
          path
            .replace(/\.[^./]+$/, '')
            .replace(/(?:^|\/)_posts\//, '/')
            .replace(/^\//, '') ===
          folders + name,
      )?.url;
    const served = own ?? (paths.has(site.root + file) ? documentPath(file, site.config) : null);
    if (served !== null) return baseurl + served;
    return paths.has(site.root + file) && !/\.(?:md|markdown)$/.test(file) && !file.startsWith('_')
      ? `${baseurl}/${file}`
      : null;
  }
}

/** Tags that belong to enclosing tags. */
const PARTS = new Set(['else', 'elsif', 'elseif', 'when', 'break', 'continue']);

/** Ruby's Liquid ignores what it does not understand in a value: `{{ input type="text" }}` is `{{ input }}`. */
function lenient(text: string): string {
  return text.replace(/\{\{(-?)\s*([\w.-]+)\s+(?![|}\s-])[^{}|]*(-?)\}\}/g, '{{$1 $2 $3}}');
}
