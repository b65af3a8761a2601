import { iframe } from '../article/player.ts';
import { escapeHtml } from '../../common/content/text.ts';
import { textField } from './fields.ts';
import { parseArguments, type Arguments, type Surroundings, type Tag } from './tag.ts';

/**
 * A tag's replacement, in any dialect: HTML for figures, videos and links; a path for a reference to another page; its
 * `text` argument if it has one; otherwise nothing.
 */
export function embedOf(tag: Tag, surroundings: Surroundings): string {
  if (tag.dialect === 'liquid' && /^(?:link|post_url)$/.test(tag.name))
    return surroundings.pagePath(tag.rest);
  const { name, args } = included(tag);
  if (/^(?:rel)?ref$/.test(name)) return surroundings.pagePath(first(args, 'path') ?? '');
  if (name === 'param') return textField(surroundings.frontMatter, first(args) ?? '') ?? '';
  return (
    VIDEOS[name]?.(args) ??
    CARDS[name]?.(args) ??
    (/^(?:link|a|button|person)$/.test(name) ? link(first(args, 'href', 'url'), linkText(args)) : null) ??
    (/^(?:video|audio)$/.test(name) ? media(name, args, surroundings) : null) ??
    (/^iframe$|embed/.test(name) ? iframe(first(args, 'src', 'url'), args.named.get('title')) : null) ??
    (/image|img|figure|picture|photo/.test(name) ? figure(args, surroundings) : null) ??
    args.named.get('text') ??
    ''
  );
}

/** Jekyll sites keep figures and videos in includes: `{% include figure.html src="…" %}` is a `figure`. */
function included(tag: Tag): { name: string; args: Arguments } {
  const args = parseArguments(tag.rest);
  const [file = '', ...positional] = args.positional;
  const isInclude = tag.dialect === 'liquid' && tag.name.startsWith('include');
  const path = isInclude ? file.toLowerCase().replace(/\.\w+$/, '') : tag.name;
  return { name: path.replace(/^.*\//, ''), args: isInclude ? { named: args.named, positional } : args };
}

type Embed = (args: Arguments) => string | null;

const VIDEOS: Readonly<Record<string, Embed | undefined>> = {
  youtube: (args) => player(args, /[\w-]{11}(?![\w-])/, 'https://www.youtube-nocookie.com/embed/'),
  vimeo: (args) => player(args, /\d{5,}/, 'https://player.vimeo.com/video/'),
  bilibili: (args) => player(args, /BV\w+/, 'https://player.bilibili.com/player.html?bvid='),
};

/** Posts on other sites, which need a script to be shown: they become links. */
const CARDS: Readonly<Record<string, Embed | undefined>> = {
  gist: ({ named, positional }) =>
    card(
      named.get('url') ??
        (positional.length > 0 ? `https://gist.github.com/${positional.slice(0, 2).join('/')}` : ''),
    ),
  x: (args) => card(statusUrl(args)),
  tweet: (args) => card(statusUrl(args)),
  twitter: (args) => card(statusUrl(args)),
  instagram: (args) => card(`https://www.instagram.com/p/${first(args, 'id') ?? ''}/`),
};

function player(args: Arguments, id: RegExp, address: string): string | null {
  const found = id.exec(first(args, 'id', 'url', 'src') ?? '')?.[0];
  return found === undefined ? null : iframe(address + found, args.named.get('title'));
}

function card(address: string): string | null {
  return /^https:\/\/[^/]+\/.*[\w-]{3,}/.test(address) ? link(address, address) : null;
}

function statusUrl(args: Arguments): string {
  const [one = '', two] = args.positional;
  if (one.startsWith('https://')) return one;
  const id = args.named.get('id') ?? two ?? one;
  if (!/^\d+$/.test(id)) return '';
  return `https://x.com/${args.named.get('user') ?? (two === undefined ? 'i' : one)}/status/${id}`;
}

function link(href: string | undefined, text: string | undefined): string | null {
  if (href === undefined || !/^(?:https?:|mailto:|[/#.])/i.test(href)) return null;
  return `<a href="${escapeHtml(href)}">${escapeHtml(text ?? href.replace(/^mailto:/, ''))}</a>`;
}

function linkText({ named, positional }: Arguments): string | undefined {
  return named.get('content') ?? named.get('name') ?? named.get('text') ?? positional[1];
}

/** Arguments that themes use for the image (the first of several) and for its caption. */
const IMAGE_KEYS = ['src', 'light_src', 'default_src', 'image', 'image_path', 'url', 'path', 'file'];
const CAPTION_KEYS = ['caption', 'figcaption', 'attr'];

function figure(args: Arguments, surroundings: Surroundings): string | null {
  const src = first(args, ...IMAGE_KEYS);
  if (src === undefined || src.trim() === '') return null;
  const alt = args.named.get('alt') ?? args.named.get('default_alt') ?? args.positional.slice(1).at(-1);
  const image = `<img src="${escapeHtml(surroundings.assetPath(src.trim()))}" alt="${escapeHtml(alt ?? '')}">`;
  const caption = CAPTION_KEYS.map((key) => args.named.get(key)).find(Boolean) ?? args.named.get('title');
  if (caption === undefined) return image;
  return `<figure>${image}<figcaption>${escapeHtml(caption)}</figcaption></figure>`;
}

function media(name: string, args: Arguments, surroundings: Surroundings): string | null {
  const src = first(args, 'src', 'url', 'mp4');
  return src === undefined
    ? null
    : `<${name} src="${escapeHtml(surroundings.assetPath(src))}" controls></${name}>`;
}

/** The first of the named arguments that is present, or else the first positional one. */
function first({ named, positional }: Arguments, ...keys: readonly string[]): string | undefined {
  return keys.map((key) => named.get(key)).find((value) => value !== undefined) ?? positional[0];
}
