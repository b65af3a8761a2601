import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { TextDecoder } from 'node:util';
import { WordPressExportInvalid } from '../errors.ts';

/** How much is read at a time: strings of more are kept apart by V8, and longer. */
const CHUNK_BYTES = 16 * 1024;
/** Warnings of PHP may stand before the declaration, and they can be long. */
const BEGINNING_BYTES = 128 * 1024;

/**
 * The text of an XML file, piece by piece. Its encoding is what a byte order mark or its declaration
 * says, else UTF-8; bytes that are no text come out as U+FFFD.
 *
 * @param onRead is told how many bytes were read, chunk by chunk
 * @throws WordPressExportInvalid when the file is packed, or its encoding unknown
 */
export async function* textOf(path: string, onRead: (bytes: number) => void): AsyncGenerator<string> {
  const decoder = decoderFor(path, await beginningOf(path));
  const chunks: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  for await (const chunk of chunks) {
    onRead(chunk.length);
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder.decode();
}

async function beginningOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING_BYTES), 0, BEGINNING_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** What packed files begin with: ZIP, gzip. */
const PACKED = /^(?:PK\x03\x04|\x1F\x8B)/;

function decoderFor(path: string, beginning: Buffer): TextDecoder {
  const bytes = beginning.toString('latin1');
  if (PACKED.test(bytes)) throw new WordPressExportInvalid(path, 'it is compressed; unpack it first');
  if (/^\xFF\xFE|^<\0/.test(bytes)) return new TextDecoder('utf-16le');
  if (/^\xFE\xFF|^\0</.test(bytes)) return new TextDecoder('utf-16be');
  const declared = /<\?xml\b[^>]*?\bencoding\s*=\s*["']\s*([^"'\s>]+)/i.exec(bytes)?.[1] ?? 'utf-8';
  // In a text that could be read so far, this can only be a mistake.
  if (/^utf-?16/i.test(declared)) return new TextDecoder();
  try {
    return new TextDecoder(declared);
  } catch {
    throw new WordPressExportInvalid(path, `its encoding "${declared}" is unknown; convert it to UTF-8`);
  }
}
