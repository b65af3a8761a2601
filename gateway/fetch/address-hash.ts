import { toBase64Url } from '../base64-url.ts';

const HASH_CHARACTERS = 22;
const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' };
const encoder = new TextEncoder();

/**
 * Hashes addresses with a key (HMAC with SHA-256), so that addresses themselves are not stored.
 *
 * @returns a function: address → `address:` and 132 bits in base 64
 */
export function addressHash(secret: string): (address: string) => Promise<string> {
  let key: Awaited<ReturnType<typeof crypto.subtle.importKey>> | undefined;
  return async (address) => {
    key ??= await crypto.subtle.importKey('raw', encoder.encode(secret), ALGORITHM, false, ['sign']);
    const signature = await crypto.subtle.sign('HMAC', key, encoder.encode(address));
    return `address:${toBase64Url(new Uint8Array(signature)).slice(0, HASH_CHARACTERS)}`;
  };
}
