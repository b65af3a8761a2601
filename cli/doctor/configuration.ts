import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { CronInvalid, isCronExpression } from '../../build/schedule.ts';
import { failed, type Finding, type Installation, warning } from './check.ts';

/** Whether `offprint.json` can be used, and readers can open the addresses in it. */
export function* findConfiguration({ configFault, settings }: Installation): Iterable<Finding> {
  const { site, api_url: apiUrl, cron } = settings;
  if (configFault !== null) yield failed(configFault);
  if (!isCronExpression(cron)) yield failed(new CronInvalid(cron));
  if (site.url !== undefined) yield* readerAddress('site.url', site.url);
  if (apiUrl !== null) yield* readerAddress('api_url', apiUrl);
}

/** Whether the internet can reach a service that listens there. */
export function isPublic(url: string): boolean {
  const host = parseHost(url);
  const getRange = (address: string) =>
    ipaddr.isValid(address) ? ipaddr.process(address.replace(/%.*$/, '')).range() : '';
  const own = Object.values(networkInterfaces()).flatMap((entries = []) => entries.map((one) => one.address));
  return (getRange(host) === 'unspecified' ? own : [host]).some((address) => getRange(address) === 'unicast');
}

/** The host of a URL: an IPv6 address without its brackets. */
function parseHost(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}

/**
 * Checks an address that readers are sent to.
 *
 * @param setting the name of the setting that contains it
 */
export function* readerAddress(setting: string, address: string): Iterable<Finding> {
  const { protocol } = new URL(address);
  const host = parseHost(address);
  const isLoopback = ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
  if (isLoopback || /(?:^|\.)localhost$/.test(host))
    yield warning(
      `${setting} is ${address}, which only this machine can open.`,
      `Set ${setting} to the public URL.`,
    );
  else if (protocol === 'http:')
    yield warning(
      `${setting} is ${address}, without encryption.`,
      `Set ${setting} to the URL with https://.`,
    );
}
