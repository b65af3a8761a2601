import table from 'markdown-it-emoji/lib/data/full.mjs';

/** The text with the names of emoji (`:smile:`) replaced, in code as well, as Hugo does with `enableEmoji`. */
export function withEmoji(text: string): string {
  return text.replace(/:([\w+-]{1,50})(?=:)(:)/g, (written, name: string) =>
    Object.hasOwn(table, name) ? (table[name] ?? written) : written,
  );
}
