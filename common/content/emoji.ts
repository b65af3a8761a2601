import table from 'markdown-it-emoji/lib/data/full.mjs';

/** Replaces names of emoji (`:smile:`), in code too, as Hugo does with `enableEmoji`. */
export function withEmoji(text: string): string {
  return text.replace(/:([\w+-]{1,50})(?=:)(:)/g, (written, name: string) =>
    Object.hasOwn(table, name) ? (table[name] ?? written) : written,
  );
}
