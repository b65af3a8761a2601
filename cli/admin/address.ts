import { InvalidArgumentError } from 'commander';

export interface AdminAddress {
  readonly host: string;
  readonly port: number;
}

/** `9090`, `127.0.0.1:9090`, `[::1]:9090`; without a host, only this machine. */
export function parseAdminAddress(text: string): AdminAddress {
  const [, ipv6, name, digits] = /^(?:(?:\[([\da-f:.]+)\]|([\w.-]+)):)?(\d{1,5})$/i.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535)
    throw new InvalidArgumentError('It must be a port, or a host and a port, such as 127.0.0.1:9090.');
  return { host: ipv6 ?? name ?? '127.0.0.1', port };
}
