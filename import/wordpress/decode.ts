import { createReadStream } from 'node:fs';
import { NotAnExport } from '../errors.ts';
import { XmlUndecodable, xmlText } from '../xml/text.ts';

/** Chunk size: V8 stores larger strings separately, and keeps them longer. */
const CHUNK_BYTES = 16 * 1024;

/**
 * Streams the text of an XML file.
 *
 * @param onRead is called with the number of bytes read, for each chunk
 * @throws NotAnExport if the file is compressed, or its encoding unknown
 */
export async function* textOf(path: string, onRead: (bytes: number) => void): AsyncGenerator<string> {
  try {
    yield* xmlText(chunksOf(path, onRead));
  } catch (error) {
    if (error instanceof XmlUndecodable) throw new NotAnExport(path, error.message);
    throw error;
  }
}

async function* chunksOf(path: string, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  const chunks: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  for await (const chunk of chunks) {
    onRead(chunk.length);
    yield chunk;
  }
}
