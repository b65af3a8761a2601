/** In bytes. A text of 2 MB, the longest that comes in, takes 12 MB if each character is escaped. */
export const MAX_LINE = 16_000_000;

/** A line of a file, without its end. The bytes are null if there are more than `MAX_LINE`. */
export interface Line {
  /** From 1. */
  readonly number: number;
  readonly bytes: Buffer | null;
}

/** Splits bytes into lines, with at most one line in memory. Blank lines are left out, but counted. */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let number = 1;
  let parts: Buffer[] = [];
  let length = 0;
  const add = (part: Buffer): void => {
    length += part.length;
    if (length > MAX_LINE) parts = [];
    else parts.push(part);
  };
  const take = (): Line | null => {
    const line = { number, bytes: length > MAX_LINE ? null : Buffer.concat(parts) };
    [number, parts, length] = [number + 1, [], 0];
    return line.bytes !== null && isBlank(line.bytes) ? null : line;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', from)) {
      add(chunk.subarray(from, end));
      from = end + 1;
      const line = take();
      if (line !== null) yield line;
    }
    add(chunk.subarray(from));
  }
  const last = take();
  if (last !== null) yield last;
}

/** Whether a line has only spaces, tabs and carriage returns. */
function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
