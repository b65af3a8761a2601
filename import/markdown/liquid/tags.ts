import {
  evalToken,
  type Context,
  type Emitter,
  type Liquid,
  type Parser,
  Tag,
  type TagToken,
  type Template,
  Tokenizer,
  type TopLevelToken,
} from 'liquidjs';
import { escapeHtml } from '../../../common/content/text.ts';

/** What tags need from the text that contains them. */
export interface TagSite {
  /** A parsed include; null if the site has none with this name. */
  readonly include: (name: string) => Template[] | null;
  /** The address of a file, by its path from the site's root, or of a post, by its name. */
  readonly link: (file: string) => string | null;
  /** The replacement for a tag that cannot run. */
  readonly substitute: (name: string, rest: string) => string;
  readonly lose: (what: string) => void;
}

type TagClass = new (token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) => Tag;

const MAX_DEPTH = 20;

/** Jekyll's own Liquid tags. */
export function jekyllTags(site: TagSite): Readonly<Record<string, TagClass>> {
  let depth = 0;

  class Highlight extends Tag {
    readonly #language: string;
    readonly #templates: Template[];

    constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
      super(token, remaining, liquid);
      this.#language = /^[\w.+#-]+/.exec(token.args.trim())?.[0] ?? '';
      this.#templates = templatesUntil('endhighlight', remaining, parser);
    }

    *render(context: Context): Generator<unknown, string, string> {
      const code = yield this.liquid.renderer.renderTemplates(this.#templates, context);
      const text = String(code).replace(/^[ \t]*\n|\s+$/g, '');
      // On one line, so that Markdown finds no block marks in it.
      const line = escapeHtml(text)
        .replace(/\n/g, '&#10;')
        .replace(/[*_`[\]\\]/g, (sign) => `&#${sign.charCodeAt(0)};`);
      return `<pre><code class="language-${escapeHtml(this.#language)}">${line}</code></pre>`;
    }
  }

  class Include extends Tag {
    readonly #rest: string;

    constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
      super(token, remaining, liquid);
      this.#rest = token.args.trim();
    }

    *render(context: Context): Generator<unknown, string, unknown> {
      const [, written = '', rest = ''] = /^((?:\{\{[^]*?\}\}|[^\s{])+)\s*([^]*)$/.exec(this.#rest) ?? [];
      const name = written.includes('{{')
        ? String(yield this.liquid._parseAndRender(written, context, {}))
        : written;
      const templates = site.include(name.replace(/^["']|["']$/g, ''));
      if (templates === null) {
        const text = site.substitute('include', this.#rest);
        if (text === '') site.lose(`include ${name} missing`);
        return text;
      }
      const values: Record<string, unknown> = { __proto__: null };
      for (const [, key = '', double, single, bare] of rest.matchAll(PARAMETER)) {
        const quoted = double ?? single;
        values[key] =
          quoted === undefined ? yield valueOf(bare ?? '', context) : quoted.replace(/\\(["'\\])/g, '$1');
      }
      if (depth >= MAX_DEPTH) throw new RangeError(`includes nest more than ${MAX_DEPTH} deep`);
      context.push({ include: values });
      depth += 1;
      try {
        const html = yield this.liquid.renderer.renderTemplates(templates, context);
        return /\.html?$/.test(name) ? closedUp(String(html)) : String(html);
      } finally {
        depth -= 1;
        context.pop();
      }
    }
  }

  class Link extends Tag {
    readonly #file: string;

    constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
      super(token, remaining, liquid);
      this.#file = token.args.trim();
    }

    *render(context: Context): Generator<unknown, string, unknown> {
      const file = this.#file.includes('{{')
        ? String(yield this.liquid._parseAndRender(this.#file, context, {}))
        : this.#file;
      const url = site.link(file.replace(/^\//, ''));
      if (url !== null) return url;
      site.lose(`liquid tag ${this.name} to a missing file`);
      return site.substitute(this.name, file);
    }
  }

  return {
    highlight: Highlight,
    include: Include,
    include_cached: Include,
    include_relative: Include,
    link: Link,
    post_url: Link,
  };
}

/** A plug-in's tag: the text between a pair stays. */
export function unknownTag(isBlock: boolean, site: TagSite): TagClass {
  return class Unknown extends Tag {
    readonly #rest: string;
    readonly #templates: Template[];

    constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
      super(token, remaining, liquid);
      this.#rest = token.args.trim();
      this.#templates = isBlock ? templatesUntil(`end${token.name}`, remaining, parser) : [];
    }

    *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
      const text = isBlock ? '' : site.substitute(this.name, this.#rest);
      if (text === '') site.lose(`liquid tag ${this.name}`);
      emitter.write(text);
      yield this.liquid.renderer.renderTemplates(this.#templates, context, emitter);
    }
  };
}

const PARAMETER = /([\w-]+)\s*=\s*(?:"([^"\\]*(?:\\.[^"\\]*)*)"|'([^'\\]*(?:\\.[^'\\]*)*)'|([\w.[\]-]+))/gs;

function valueOf(expression: string, context: Context): unknown {
  const token = new Tokenizer(expression).readValue();
  return token === undefined ? null : evalToken(token, context);
}

function templatesUntil(end: string, remaining: TopLevelToken[], parser: Parser): Template[] {
  const templates: Template[] = [];
  const stream = parser
    .parseStream(remaining)
    .on(`tag:${end}`, () => stream.stop())
    .on('template', (template: Template) => void templates.push(template))
    .on('end', () => {
      throw new SyntaxError(`no {% ${end} %}`);
    });
  stream.start();
  return templates;
}

/** Removes blank lines and indentation, which would end an element in Markdown or turn it into code. */
function closedUp(html: string): string {
  return /<(?:pre|textarea|script)\b/i.test(html) ? html : html.replace(/\n\s+/g, '\n');
}
