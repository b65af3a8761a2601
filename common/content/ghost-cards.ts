/** Plain HTML for the cards of Ghost that need its scripts and styles. */
import { escapeHtml } from './text.ts';

export function audio(src: string, title: string): string {
  return src === '' ? '' : figure('audio', `<audio${attributes({ src })} controls></audio>`, title);
}

export function video(card: {
  readonly src: string;
  readonly poster: string;
  readonly width: string;
  readonly height: string;
  readonly loops: boolean;
  readonly caption: string;
}): string {
  const { src, poster, width, height, loops, caption } = card;
  if (src === '') return '';
  const flags = loops ? ' controls loop' : ' controls';
  return figure('video', `<video${attributes({ src, poster, width, height })}${flags}></video>`, caption);
}

/** @param card texts, as plain text */
export function file(card: Readonly<Record<'src' | 'title' | 'caption' | 'size', string>>): string {
  const { src, title, caption, size } = card;
  if (src === '') return '';
  const link = linked(src, escapeHtml(title || (src.split('/').at(-1) ?? src)));
  const about = [caption, size && `(${size})`].filter((text) => text !== '').map(escapeHtml);
  return block('file', wrapped('p', [link, ...about].join(' ')));
}

/** @param card title and description as plain text, the caption as HTML */
export function bookmark(
  card: Readonly<Record<'url' | 'title' | 'description' | 'caption', string>>,
): string {
  const { url, title, description, caption } = card;
  if (url === '') return '';
  const about = wrapped('p', escapeHtml(description));
  return figure('bookmark', `<p>${linked(url, escapeHtml(title || url))}</p>${about}`, caption);
}

/** @param heading as HTML, like `content` */
export function toggle(heading: string, content: string): string {
  const summary = heading.replace(/<\/?p\b[^>]*>/gi, '');
  return `<details class="kg-card kg-toggle-card"><summary>${summary}</summary>${content}</details>`;
}

/** @param caption as HTML, as Ghost stores it */
function figure(kind: string, content: string, caption: string): string {
  if (content === '') return '';
  return `<figure class="kg-card kg-${kind}-card">${content}${wrapped('figcaption', caption.trim())}</figure>`;
}

function block(kind: string, content: string): string {
  return content === '' ? '' : `<div class="kg-card kg-${kind}-card">${content}</div>`;
}

function wrapped(tag: string, content: string): string {
  return content === '' ? '' : `<${tag}>${content}</${tag}>`;
}

function linked(href: string, content: string): string {
  return href === '' || content === '' ? content : `<a href="${escapeHtml(href)}">${content}</a>`;
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => (value === '' ? '' : ` ${name}="${escapeHtml(value)}"`))
    .join('');
}
