import { textOfHtml } from '../../common/content/html-text.ts';
import { firstHeading } from '../../common/content/text.ts';

/** A title as HTML with few elements. In old exports it is text, where `Vec<T>` must keep its `<T>`. */
export function titleOfHtml(written: string): string {
  return textOfHtml(
    written.replace(
      /<(?!\/?(?:a|abbr|b|br|cite|code|del|em|i|ins|mark|s|small|span|strong|sub|sup|u|wbr)\b[^<>]*>)/gi,
      '&lt;',
    ),
  );
}

/** For a text without a title, in HTML: its first heading, or its first words. */
export function titleOfText(body: string): string {
  const heading = textOfHtml(firstHeading(body));
  if (heading !== '') return heading;
  const text = textOfHtml(body.slice(0, 2000));
  return text.length <= 60 ? text : `${text.slice(0, 60).replace(/\s+\S*$/, '')}…`;
}
