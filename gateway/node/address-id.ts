import { createHmac } from 'node:crypto';

/** The id by which an address is counted, which does not tell the address. @param secret of this output */
export function addressId(address: string, secret: Uint8Array): string {
  return `address:${createHmac('sha256', secret).update(address).digest('base64url').slice(0, 22)}`;
}
