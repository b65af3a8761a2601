import { escapeHtml } from '../../common/content/text.ts';

/** An iframe for a web address; null for anything else. */
export function iframe(src: string | undefined, title?: string): string | null {
  if (src === undefined || !/^(?:https:)?\/\//i.test(src)) return null;
  const address = escapeHtml(src.replace(/^\/\//, 'https://'));
  const named = title === undefined || title === '' ? '' : ` title="${escapeHtml(title)}"`;
  return `<iframe src="${address}"${named} allowfullscreen></iframe>`;
}

/** The page of a video or sound, and its player's address; the first group is the id. */
const PLAYERS: readonly (readonly [page: RegExp, player: string])[] = [
  [
    /^(?:www\.|m\.|music\.)?youtube(?:-nocookie)?\.com\/(?:watch\/?\?(?:.*?&)?v=|embed\/|shorts\/|live\/|v\/)([\w-]{11})(?![\w-])/,
    'https://www.youtube-nocookie.com/embed/',
  ],
  [/^youtu\.be\/([\w-]{11})(?![\w-])/, 'https://www.youtube-nocookie.com/embed/'],
  [
    /^(?:www\.)?youtube\.com\/playlist\?(?:.*?&)?list=([\w-]+)/,
    'https://www.youtube-nocookie.com/embed/videoseries?list=',
  ],
  [/^(?:www\.)?vimeo\.com\/(?:.*\/)?(\d{5,})(?:[/?#]|$)/, 'https://player.vimeo.com/video/'],
  [/^player\.vimeo\.com\/video\/(\d{5,})/, 'https://player.vimeo.com/video/'],
  [/^(?:www\.)?dailymotion\.com\/(?:embed\/)?video\/([a-z\d]+)/i, 'https://www.dailymotion.com/embed/video/'],
  [/^dai\.ly\/([a-z\d]+)/i, 'https://www.dailymotion.com/embed/video/'],
  [
    /^open\.spotify\.com\/(?:embed\/|intl-\w+\/)?((?:track|album|playlist|artist|episode|show)\/\w+)/,
    'https://open.spotify.com/embed/',
  ],
  [/^codepen\.io\/([\w-]+\/)(?:pen|embed)\/(\w+)/, 'https://codepen.io/'],
  [/^archive\.org\/(?:details|embed)\/([\w.-]+)/, 'https://archive.org/embed/'],
];

/** The player for a video's or sound's page on a known host; null for any other address. */
export function findPlayer(url: string, title?: string): string | null {
  const [, page] = /^(?:https?:)?\/\/(.+)$/is.exec(url.trim()) ?? [];
  if (page === undefined) return null;
  if (/^(?:www\.|m\.)?soundcloud\.com\/[\w-]+\/[\w-]+/i.test(page)) {
    const address = encodeURIComponent(`https://${page.replace(/[?#].*$/s, '')}`);
    return iframe(`https://w.soundcloud.com/player/?url=${address}`, title);
  }
  for (const [pattern, player] of PLAYERS) {
    const [, id, more] = pattern.exec(page) ?? [];
    if (id === undefined) continue;
    return iframe(player + (more === undefined ? id : `${id}embed/${more}`), title);
  }
  return null;
}
