import { firstAlt } from './fields.ts';

const IMAGE = /<img\b[^<>]*>/gi;
const CLASS = /\sclass\s*=\s*["'](?:[^"']*\s)?(?<name>wp-smiley|emoji)[\s"']/i;

/**
 * HTML in which emoji and smileys that WordPress, or another program, made images are text again. Without that program's
 * style sheet they would be large, and descriptions would lack them.
 */
export function withEmoji(html: string): string {
  return html.replace(IMAGE, (image) => {
    const name = CLASS.exec(image)?.groups?.['name'];
    if (name === undefined) return image;
    const alt = firstAlt(image);
    // `:octocat:` of other programs is a picture that no text has.
    const isText = name === 'wp-smiley' ? alt !== '' : /[^\0-\x7F]/.test(alt);
    return isText ? alt : image;
  });
}
