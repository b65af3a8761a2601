/** A mark of qTranslate: `[:en]` or `<!--:en-->` begins a language, `[:]` or `<!--:-->` ends it. */
const MARK = /\[:([a-z]{2})?\]|<!--:([a-z]{2})?-->|\{:([a-z]{2})?\}/g;

/**
 * Returns a function that chooses one language in multilingual texts of the plug-ins qTranslate and qTranslate-X: the
 * site's own if the post has it, or else the first. `texts` are those of one post, so that its title and body get the
 * same language.
 */
export function languageChooser(
  texts: readonly string[],
  siteLanguage: string | null,
): (text: string) => string {
  const written = texts.flatMap((text) => partsOf(text).map(({ language }) => language));
  const languages = written.filter((language) => language !== null);
  const chosen = languages.find((language) => language === siteLanguage) ?? languages[0];
  if (chosen === undefined) return (text) => text;
  return (text) => {
    const parts = partsOf(text);
    const there = parts.some(({ language }) => language === chosen)
      ? chosen
      : (parts.find(({ language }) => language !== null)?.language ?? null);
    return parts
      .filter(({ language }) => language === null || language === there)
      .map((part) => part.text)
      .join('');
  };
}

interface Part {
  /** Null: for all languages. */
  readonly language: string | null;
  readonly text: string;
}

function partsOf(text: string): Part[] {
  if (!isTranslated(text)) return [{ language: null, text }];
  const parts: Part[] = [];
  let language: string | null = null;
  let from = 0;
  for (const match of text.matchAll(MARK)) {
    parts.push({ language, text: text.slice(from, match.index) });
    language = match[1] ?? match[2] ?? match[3] ?? null;
    from = match.index + match[0].length;
  }
  parts.push({ language, text: text.slice(from) });
  return parts.filter((part) => part.text !== '');
}

/** `params[:id]` is code: marks in brackets only count if the text begins with one. */
function isTranslated(text: string): boolean {
  return /^\s*(?:\[:[a-z]{2}\]|\{:[a-z]{2}\})/.test(text) || /<!--:[a-z]{2}-->/.test(text);
}
