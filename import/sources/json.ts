import { messageOf } from '../../common/thrown.ts';

/** Real documents have a dozen levels; each nested list of Lexical adds four. */
const MAX_DEPTH = 500;
/** The export of 20,000 posts has two thirds of this. */
const MAX_VALUES = 2_000_000;
const [QUOTE, BACKSLASH, COMMA] = [34, 92, 44];
/** Brackets differ from braces in one bit. */
const [OPEN, CLOSE, CASE] = [123, 125, 32];

/**
 * Parses JSON of another machine. Its values are counted first: in memory, each takes many times its length in the text.
 *
 * @param fault makes the error for a text that is no JSON, has too many values, or nests too deeply
 */
export function parseUntrusted(text: string, fault: (why: string) => Error): unknown {
  const json = text.replace(/^\uFEFF/, '');
  const excess = excessIn(json);
  if (excess !== null) throw fault(excess);
  try {
    const value: unknown = JSON.parse(json);
    return value;
  } catch (error) {
    throw fault(messageOf(error).slice(0, 200));
  }
}

function excessIn(json: string): string | null {
  let depth = 0;
  let values = 0;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) isText = !isText;
    else if (isText) at += Number(code === BACKSLASH);
    else if (code === COMMA) values += 1;
    else if ((code | CASE) === OPEN) depth += 1;
    else if ((code | CASE) === CLOSE) depth -= 1;
    if (depth > MAX_DEPTH) return `it nests more than ${MAX_DEPTH} levels deep`;
    if (values > MAX_VALUES) return `it has more than ${MAX_VALUES} values`;
  }
  return null;
}
