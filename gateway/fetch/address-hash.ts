const HASH_CHARACTERS = 22;
const encoder = new TextEncoder();

/** Names addresses by a keyed hash (HMAC with SHA-256), so that addresses themselves are nowhere kept. */
export class AddressHash {
  readonly #secret: string;
  #key: ReturnType<typeof importKey> | undefined;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** @returns `address:` and 132 bits in base 64 */
  async idOf(address: string): Promise<string> {
    this.#key ??= importKey(this.#secret);
    const signature = await crypto.subtle.sign('HMAC', await this.#key, encoder.encode(address));
    return `address:${toBase64Url(new Uint8Array(signature)).slice(0, HASH_CHARACTERS)}`;
  }
}

function importKey(secret: string) {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}
