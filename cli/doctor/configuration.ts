import ipaddr from 'ipaddr.js';
import { failed, type Finding, warning } from './check.ts';
import type { Installation } from './installation.ts';

/** Whether `offprint.json` can be used, and readers can open the addresses in it. */
export function* findConfiguration({ configFault, settings }: Installation): Iterable<Finding> {
  const { site, api_url: apiUrl } = settings;
  if (configFault !== null) yield failed(configFault);
  if (site.url !== undefined) yield* readerAddress('site.url', site.url);
  if (apiUrl !== null) yield* readerAddress('api_url', apiUrl);
}

/**
 * Checks an address that readers are sent to.
 *
 * @param setting the name of the setting that contains it
 */
export function* readerAddress(setting: string, address: string): Iterable<Finding> {
  const { protocol, hostname } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, '');
  const isLoopback = ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
  if (isLoopback || /(?:^|\.)localhost$/.test(host))
    yield warning(
      `${setting} is ${address}, which only this machine can open.`,
      `Set ${setting} to the public address.`,
    );
  else if (protocol === 'http:')
    yield warning(
      `${setting} is ${address}, without encryption.`,
      `Set ${setting} to the address with https://.`,
    );
}
