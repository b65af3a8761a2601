/** A part of an answer: bytes, or a text of ASCII. */
export type Piece = Uint8Array | string;

/** The bytes of some pieces, one after another. */
export function joinPieces(pieces: readonly Piece[]): Uint8Array<ArrayBuffer> {
  let size = 0;
  for (const { length } of pieces) size += length;
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    if (typeof piece === 'string') for (let i = 0; i < piece.length; i++) bytes[at + i] = piece.charCodeAt(i);
    else bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
