import { TextDecoder } from 'node:util';
import { peek } from '../sources/chunks.ts';

/** PHP warnings may precede the declaration, and they can be long. */
export const BEGINNING_BYTES = 128 * 1024;

/**
 * Decodes XML piece by piece. The encoding comes from a byte order mark, or else `charset`, or else its declaration, or
 * else UTF-8 (RFC 7303); invalid bytes become U+FFFD.
 *
 * @param charset from the HTTP header; null: not given
 * @param fault makes the error for what is compressed, or in an unknown encoding: `it is compressed; unpack it first`
 */
export async function* xmlText(
  chunks: AsyncIterable<Buffer>,
  charset: string | null,
  fault: (why: string) => Error,
): AsyncGenerator<string> {
  const { beginning, all } = await peek(chunks, BEGINNING_BYTES);
  if (isCompressed(beginning)) throw fault('it is compressed; unpack it first');
  const name = detectEncoding(beginning, charset);
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(name);
  } catch {
    throw fault(`its encoding "${name}" is unknown; convert it to UTF-8`);
  }
  for await (const chunk of all) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/** Whether bytes begin as a file of ZIP or gzip. */
export function isCompressed(bytes: Buffer): boolean {
  return /^(?:PK\x03\x04|\x1F\x8B)/.test(bytes.toString('latin1', 0, 4));
}

function detectEncoding(beginning: Buffer, charset: string | null): string {
  const bytes = beginning.toString('latin1', 0, BEGINNING_BYTES);
  if (/^\xFF\xFE|^<\0/.test(bytes)) return 'utf-16le';
  if (/^\xFE\xFF|^\0</.test(bytes)) return 'utf-16be';
  if (bytes.startsWith('\xEF\xBB\xBF')) return 'utf-8';
  const declared = /<\?xml\b[^>]*?\bencoding\s*=\s*["']\s*([^"'\s>]+)/i.exec(bytes)?.[1];
  const name = charset ?? declared ?? 'utf-8';
  // The declaration was readable, so this must be a mistake.
  return /^utf-?16/i.test(name) ? 'utf-8' : name;
}
