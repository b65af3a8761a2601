/**
 * An address in a message: without user name, password, query and fragment, which may be secret. Other texts are
 * unchanged.
 */
export function shownAddress(address: string): string {
  const [, scheme, rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)([^?#]*)/i.exec(address) ?? [];
  return scheme === undefined ? address : scheme + rest.replace(/^[^/]*@/, '');
}
