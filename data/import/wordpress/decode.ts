import { createReadStream } from 'node:fs';
import { WordPressExportInvalid } from '../errors.ts';
import { XmlUndecodable, xmlText } from '../xml-text.ts';

/** How much is read at a time: strings of more are kept apart by V8, and longer. */
const CHUNK_BYTES = 16 * 1024;

/**
 * The text of an XML file, piece by piece.
 *
 * @param onRead is told how many bytes were read, chunk by chunk
 * @throws WordPressExportInvalid when the file is packed, or its encoding unknown
 */
export async function* textOf(path: string, onRead: (bytes: number) => void): AsyncGenerator<string> {
  try {
    yield* xmlText(chunksOf(path, onRead));
  } catch (error) {
    if (error instanceof XmlUndecodable) throw new WordPressExportInvalid(path, error.message);
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
