import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { isCronExpression } from '../../build/schedule.ts';
import { webhookSecret } from '../start/webhooks.ts';
import { checkBucket } from '../bucket.ts';
import { runningServices } from '../faults.ts';
import { error, failed, type Finding, findingsOf, ok, warning } from './finding.ts';
import type { Installation } from './installation.ts';

/** Whether `offprint.json` and the environment are valid and consistent. */
export function checkConfiguration(installation: Installation): Finding[] {
  const { config, configFault, settings } = installation;
  if (configFault !== null) return [failed(configFault)];
  const findings = [...schedule(settings.cron), ...secrets(installation), ...addresses(installation)];
  if (findings.length > 0) return findings;
  return [
    ok(settings.found ? `${config} can be used` : 'no configuration file: all settings have their defaults'),
  ];
}

function schedule(cron: string): Finding[] {
  if (isCronExpression(cron)) return [];
  return [
    error(`The setting cron is not a valid cron expression: "${cron}".`, 'Use five fields: */5 * * * *'),
  ];
}

/** Environment variables that `start` needs. */
function secrets({ settings, out, publishTo, endpoint }: Installation): Finding[] {
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

function addresses({ settings, host }: Installation): Finding[] {
  const { site, api_url: apiUrl, trusted_proxies: proxies } = settings;
  const isPublic = isReachable(host);
  return [
    ...(site.url === undefined ? [] : readerAddress('site.url', site.url)),
    ...(apiUrl === null ? [] : readerAddress('api_url', apiUrl)),
    ...(proxies > 0 && isPublic
      ? [
          warning(
            `trusted_proxies is ${proxies}, but anyone can connect to ${host} without the proxy, and choose the address that is counted.`,
            'Listen on 127.0.0.1 (--host, HOST), or let a firewall admit only the proxy.',
          ),
        ]
      : []),
  ];
}

/**
 * Checks an address that readers are sent to.
 *
 * @param setting the name of the setting that contains it
 */
export function readerAddress(setting: string, address: string): Finding[] {
  const { protocol, hostname } = new URL(address);
  if (isLocal(hostname))
    return [
      warning(
        `${setting} is ${address}, which only this machine can open.`,
        `Set ${setting} to the public address.`,
      ),
    ];
  if (protocol === 'http:')
    return [
      warning(
        `${setting} is ${address}, without encryption.`,
        `Set ${setting} to the address with https://.`,
      ),
    ];
  return [];
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
