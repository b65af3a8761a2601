import { TextDecoder } from 'node:util';
import { peek } from '../sources/chunks.ts';

/** PHP warnings may precede the declaration, and they can be long. */
export const BEGINNING_BYTES = 128 * 1024;

/** Why bytes cannot be read as XML: `it is compressed; unpack it first`. Importers add the file's name. */
export class XmlUndecodable extends Error {}

/**
 * Decodes XML piece by piece. The encoding comes from a byte order mark, or else `charset`, or else its declaration, or
 * else UTF-8 (RFC 7303); invalid bytes become U+FFFD.
 *
 * @param charset from the HTTP header; null: not given
 * @throws XmlUndecodable if it is compressed, or its encoding unknown
 */
export async function* xmlText(
  chunks: AsyncIterable<Buffer>,
  charset: string | null = null,
): AsyncGenerator<string> {
  const { beginning, all } = await peek(chunks, BEGINNING_BYTES);
  const decoder = decoderFor(beginning, charset);
  for await (const chunk of all) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/** The first bytes of compressed files: ZIP, gzip. */
const PACKED = /^(?:PK\x03\x04|\x1F\x8B)/;

function decoderFor(beginning: Buffer, charset: string | null): TextDecoder {
  const bytes = beginning.toString('latin1', 0, BEGINNING_BYTES);
  if (PACKED.test(bytes)) throw new XmlUndecodable('it is compressed; unpack it first');
  if (/^\xFF\xFE|^<\0/.test(bytes)) return new TextDecoder('utf-16le');
  if (/^\xFE\xFF|^\0</.test(bytes)) return new TextDecoder('utf-16be');
  if (bytes.startsWith('\xEF\xBB\xBF')) return new TextDecoder();
  const declared = /<\?xml\b[^>]*?\bencoding\s*=\s*["']\s*([^"'\s>]+)/i.exec(bytes)?.[1];
  const name = charset ?? declared ?? 'utf-8';
  // The declaration was readable, so this must be a mistake.
  if (/^utf-?16/i.test(name)) return new TextDecoder();
  try {
    return new TextDecoder(name);
  } catch {
    throw new XmlUndecodable(`its encoding "${name}" is unknown; convert it to UTF-8`);
  }
}
