const ATTRIBUTE = String.raw`[.#/\w-]+(?:=(?:"[^"]*"|'[^']*'|[^\s}"']+))?`;
const ATTRIBUTES = String.raw`\{::?\s*${ATTRIBUTE}(?:\s+${ATTRIBUTE})*\s*/?\s*\}`;
const ALL = new RegExp(ATTRIBUTES, 'g');
const HERE = new RegExp(ATTRIBUTES, 'y');

/** Length of the attribute list that begins here (`{: .class #id key="value"}`, `{:toc}`); 0 if none. */
export function attributesAt(text: string, position: number): number {
  HERE.lastIndex = position;
  return HERE.exec(text)?.[0].length ?? 0;
}

/** The text without attribute lists. */
export function withoutAttributes(text: string): string {
  return text.replace(ALL, '');
}
