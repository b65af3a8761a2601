import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { isCronExpression } from '../../build/schedule.ts';
import { webhookSecret } from '../start/webhooks.ts';
import { checkBucket } from '../bucket.ts';
import { runningServices } from '../faults.ts';
import { error, failed, type Finding, findingsOf, warning } from './check.ts';
import type { Installation } from './installation.ts';

/** What is wrong with `offprint.json` and the environment. */
export function* findConfiguration(installation: Installation): Iterable<Finding> {
  const { configFault, settings, host } = installation;
  if (configFault !== null) {
    yield failed(configFault);
    return;
  }
  const { cron, site, api_url: apiUrl, trusted_proxies: proxies } = settings;
  if (!isCronExpression(cron))
    yield error(
      `The setting cron is not a valid cron expression: "${cron}".`,
      'Use five fields: */5 * * * *',
    );
  yield* findSecrets(installation);
  if (site.url !== undefined) yield* readerAddress('site.url', site.url);
  if (apiUrl !== null) yield* readerAddress('api_url', apiUrl);
  if (proxies > 0 && isReachable(host))
    yield warning(
      `trusted_proxies is ${proxies}, but anyone can connect to ${host} without the proxy, and choose the address that is counted.`,
      'Listen on 127.0.0.1 (--host, HOST), or let a firewall admit only the proxy.',
    );
}

/** Environment variables that `start` needs. */
function findSecrets({ settings, out, publishTo, endpoint }: Installation): Finding[] {
  const findings = [
    ...(settings.webhooks.length === 0 ? [] : findingsOf(webhookSecret)),
    ...findingsOf(() => checkBucket({ to: publishTo, endpoint })),
  ];
  if (runningServices(out).length === 0) return findings;
  return findings.map(({ finding }) =>
    warning(
      finding,
      'This is about your shell. The service is running, so it most likely has what it needs.',
    ),
  );
}

/**
 * Checks an address that readers are sent to.
 *
 * @param setting the name of the setting that contains it
 */
export function* readerAddress(setting: string, address: string): Iterable<Finding> {
  const { protocol, hostname } = new URL(address);
  if (isLocal(hostname))
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

function isLocal(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    (ipaddr.isValid(host) && rangeOf(host) === 'loopback')
  );
}

/** Whether the address is reachable from the internet. */
function isReachable(host: string): boolean {
  if (!ipaddr.isValid(host)) return false;
  const range = rangeOf(host);
  if (range !== 'unspecified') return range === 'unicast';
  return Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .some(({ address }) => rangeOf(address) === 'unicast');
}

function rangeOf(address: string): string {
  return ipaddr.process(address.replace(/%.*$/, '')).range();
}
