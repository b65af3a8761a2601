/**
 * What `npm ci` installs, according to the lock file.
 */
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { read } from './docs/documents.ts';

const Package = v.object({
  name: v.optional(v.string()),
  version: v.string(),
  resolved: v.optional(v.string()),
  integrity: v.optional(v.string()),
  license: v.optional(v.string()),
  dev: v.optional(v.boolean(), false),
  devOptional: v.optional(v.boolean(), false),
  engines: v.optional(v.object({ node: v.optional(v.string()) })),
});

const { packages } = v.parse(
  v.object({ packages: v.record(v.string(), Package) }),
  JSON.parse(read('package-lock.json')),
);
const manifest = v.parse(
  v.object({
    engines: v.object({ node: v.string() }),
    dependencies: v.record(v.string(), v.string()),
    optionalDependencies: v.record(v.string(), v.string()),
  }),
  JSON.parse(read('package.json')),
);
const installed = Object.entries(packages).filter(([path]) => path !== '');
/** What `npm ci --omit=dev` installs, on any platform. */
const inProduction = installed.filter(([, { dev }]) => !dev);
const pathsOf = (entries: typeof installed) => entries.map(([path]) => path);

/** Licences that at most require a notice, in SPDX expressions. */
const PERMISSIVE = /^(?:MIT|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|BlueOak-1\.0\.0|PSF-2\.0)$/;

it('has a hash for each package', () => {
  expect(installed.length).toBeGreaterThan(100);
  expect(pathsOf(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')))).toEqual([]);
});

describe('production', () => {
  it('has permissive licences only', () => {
    expect(inProduction.length).toBeGreaterThan(40);
    expect(inProduction.filter(([, { license = '' }]) => !PERMISSIVE.test(license))).toEqual([]);
  });

  it('has no compiler or packages that need one', () => {
    expect(pathsOf(inProduction).filter((path) => path.includes('typescript'))).toEqual([]);
    // Except types of a few kilobytes, which packages name as optional peers.
    const alongside = pathsOf(inProduction.filter(([, { devOptional }]) => devOptional));
    expect(alongside.filter((path) => !path.startsWith('node_modules/@types/'))).toEqual([]);
  });
});

describe('Node', () => {
  const least = manifest.engines.node.replace(/^>=/, '');
  const isBelow = (version: string) => version.localeCompare(least, 'en', { numeric: true }) < 0;

  it('is as new as each production package needs it', () => {
    const needed = inProduction.flatMap(
      ([, { engines }]) => />=\s*([\d.]+)$/.exec(engines?.node ?? '')?.[1] ?? [],
    );
    expect(needed.length).toBeGreaterThan(20);
    const newest = needed.map((version) => version.split('.', 2).join('.')).filter((one) => !isBelow(one));
    expect([...new Set(newest)]).toEqual([least]);
  });

  it('is the version that the command asks for', () => expect(read('cli/offprint.mjs')).toContain(least));

  it('is available for Linux and macOS on both processors and for Windows, in a recent version', () => {
    const builds = Object.entries(manifest.optionalDependencies).filter(([name]) => name.startsWith('node-'));
    const platforms = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win-x64'];
    expect(builds.map(([name]) => name.replace(/^node-(?:bin-)?/, '')).sort()).toEqual(platforms);
    for (const [name, version] of builds) {
      expect(packages[`node_modules/${name}`]?.version).toBe(version);
      expect(isBelow(version), name).toBe(false);
    }
  });
});
