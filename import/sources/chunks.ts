/** The beginning of a stream, with at least so many bytes if it has them, and all of the stream. */
export async function peek(
  chunks: AsyncIterable<Buffer>,
  bytes: number,
): Promise<{ readonly beginning: Buffer; readonly all: AsyncIterable<Buffer> }> {
  const iterator = chunks[Symbol.asyncIterator]();
  const waiting: Buffer[] = [];
  for (let length = 0; length < bytes; length += waiting.at(-1)?.length ?? 0) {
    const next = await iterator.next();
    if (next.done) break;
    waiting.push(next.value);
  }
  const beginning = Buffer.concat(waiting);
  const all = async function* (): AsyncGenerator<Buffer> {
    try {
      yield* waiting.splice(0);
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  };
  return { beginning, all: all() };
}

/** All of a stream. @param tooLarge makes the error for more than `maxBytes` */
export async function collect(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
  tooLarge: () => Error,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge();
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}
