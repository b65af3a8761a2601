import { Liquid, type Template } from 'liquidjs';
import { textOfHtml } from '../../common/content/html-text.ts';
import type { ShortcodeCall, Shortcodes } from './shortcodes.ts';

const MAX_TEMPLATE = 50_000;
const MAX_MILLISECONDS = 1_000;
const MAX_MEMORY = 1_000_000;

const TAG = /\{[{%][^]*?[%}]\}/g;
/** Tera syntax that LiquidJS reads differently: calls, macros, template blocks and tests. */
const NOT_PLAIN =
  /[()[\]~]|^\{%-?\s*(?:macro|import|extends|block|include|set|set_global|filter|raw)\b|\bis\b/;

/**
 * A Zola site's shortcodes with plain templates: HTML with values, conditions and loops, which have the same syntax in
 * Tera and Liquid. A template that calls functions or macros is not run.
 */
export function zolaShortcodes(
  templates: ReadonlyMap<string, string>,
  inMarkdown: ReadonlySet<string>,
): Shortcodes {
  const engine = new Liquid({
    outputEscape: 'escape',
    strictFilters: true,
    strictVariables: false,
    parseLimit: MAX_TEMPLATE,
    renderLimit: MAX_MILLISECONDS,
    memoryLimit: MAX_MEMORY,
    templates: {},
  });
  const safe = { raw: true, handler: (value: unknown) => value };
  engine.registerFilter('safe', safe);
  engine.registerFilter('lower', (value: unknown) => String(value).toLowerCase());
  engine.registerFilter('upper', (value: unknown) => String(value).toUpperCase());
  engine.registerFilter('trim', (value: unknown) => String(value).trim());
  engine.registerFilter('striptags', (value: unknown) => textOfHtml(String(value)));
  let markdown: ShortcodeCall['markdown'] = (text) => text;
  engine.registerFilter('markdown', { raw: true, handler: (value: unknown) => markdown(String(value)) });
  const parsed = new Map<string, Template[] | null>();
  return {
    has: (name) => templates.has(name),
    isMarkdown: (name) => inMarkdown.has(name),
    render(name, { args, inner, page, ...call }) {
      const text = templates.get(name);
      if (text === undefined) return null;
      const template = parsed.has(name) ? parsed.get(name) : parse(engine, text);
      parsed.set(name, template ?? null);
      if (!template) return null;
      const values: Record<string, unknown> = {
        __proto__: null,
        body: inner,
        page: { title: page('title') },
      };
      for (const [key, value] of args.named) values[key] = valueOf(value);
      markdown = call.markdown;
      try {
        return String(engine.renderSync(template, values));
      } catch {
        return null; // An unknown filter, or too many steps.
      }
    },
  };
}

/** Arguments may be numbers and flags. */
function valueOf(written: string): string | number | boolean {
  if (/^(?:true|false)$/.test(written)) return written === 'true';
  return /^(?:0|[1-9]\d{0,8})$/.test(written) ? Number(written) : written;
}

function parse(engine: Liquid, text: string): Template[] | null {
  if (text.length > MAX_TEMPLATE) return null;
  const liquid = text.replace(/\{#[^]*?#\}/g, '').replace(TAG, asLiquid);
  const isPlain = [...liquid.matchAll(TAG)].every(
    ([tag]) => !NOT_PLAIN.test(tag.replace(/"[^"]*"|'[^']*'/g, '')),
  );
  if (!isPlain) return null;
  try {
    return engine.parse(liquid);
  } catch {
    return null;
  }
}

/** Converts `elif`, `x is defined` and `| default(value="a")` to Liquid. */
function asLiquid(tag: string): string {
  return tag
    .replace(/^(\{%-?\s*)elif\b/, '$1elsif')
    .replace(/\bis\s+not\s+defined\b/g, '== nil')
    .replace(/\bis\s+defined\b/g, '!= nil')
    .replace(/\|\s*(\w+)\((?:\w+\s*=\s*)?("[^"]*"|'[^']*'|[\w.]+)\)/g, '| $1: $2');
}
