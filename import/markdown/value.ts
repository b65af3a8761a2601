import { iframe } from '../article/player.ts';
import { textField } from './fields.ts';
import type { Surroundings } from './tag.ts';

/** Filters that do not change a text in Markdown, and those that turn a name into a link. */
const KEEPING =
  /^(?:escape|escape_once|xml_escape|strip|trim|safe|markdownify|smartify|uri_escape)$|link|name/;

/**
 * Evaluates `{{ "/x/" | url }}`, `{{ page.title }}` or `{{ site.repository }}`: a literal, a field of the front matter
 * or of the site's configuration, through its filters. Empty if only the generator knows it.
 */
export function valueOf(expression: string, surroundings: Surroundings): string {
  const [source = '', ...filters] = splitFilters(expression);
  let value = literal(source) ?? variable(source, surroundings);
  for (const filter of filters) {
    const [, name = '', argument = ''] = /^(\w+)\s*(?:[:(]([^]*?)\)?)?$/.exec(filter) ?? [];
    value = filtered(value, name, literal(argument) ?? '', surroundings);
  }
  return value;
}

function splitFilters(expression: string): string[] {
  return (expression.match(/(?:"[^"]*"|'[^']*'|[^|"'])+/g) ?? []).map((part) => part.trim());
}

/** The text of a quoted string; line breaks in it come from wrapping the Markdown. */
function literal(source: string): string | null {
  return /^(["'])([^]*)\1/.exec(source.trim())?.[2]?.replace(/\s+/g, ' ') ?? null;
}

function variable(source: string, { frontMatter, config }: Surroundings): string {
  // The site's own address becomes empty: what follows is then a path on the site.
  if (/^site\.(?:base_?url|url)$/i.test(source)) return '';
  const [, scope, key] = /^(?:(site|page|post)\.)?([\w.]+)$/.exec(source) ?? [];
  if (key === undefined) return '';
  return textField(scope === 'site' ? config : frontMatter, key) ?? '';
}

function filtered(value: string, name: string, argument: string, surroundings: Surroundings): string {
  if (/^(?:url|relative_url|absolute_url|asset_url)$/.test(name)) {
    return surroundings.assetPath(value.replace(/\s+/g, '')); // White space also comes from wrapping.
  }
  if (name === 'prepend') return argument + value;
  if (name === 'append') return value + argument;
  if (name === 'downcase' || name === 'lower') return value.toLowerCase();
  if (name === 'upcase' || name === 'upper') return value.toUpperCase();
  if (name.startsWith('date')) return value.slice(0, 10);
  if (name.startsWith('embed')) return iframe(value, argument) ?? '';
  return KEEPING.test(name) ? value : '';
}
