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
const PERMISSIVE = new Set([
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'PSF-2.0',
]);

it('has a hash for each package', () => {
  expect(installed.length).toBeGreaterThan(100);
  expect(pathsOf(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')))).toEqual([]);
});

describe('production', () => {
  it('has permissive licences only', () => {
    expect(inProduction.length).toBeGreaterThan(40);
    const others = inProduction.filter(
      ([, { license }]) => license === undefined || !PERMISSIVE.has(license),
    );
    expect(others).toEqual([]);
  });

  it('has no compiler or packages that need one', () => {
    expect(pathsOf(inProduction).filter((path) => path.includes('typescript'))).toEqual([]);
    // Except types of a few kilobytes, which packages name as optional peers.
    const alongside = pathsOf(inProduction.filter(([, { devOptional }]) => devOptional));
    expect(alongside.filter((path) => !path.startsWith('node_modules/@types/'))).toEqual([]);
  });
});

describe('Node', () => {
  const least = /^>=(\d+)\.(\d+)$/.exec(manifest.engines.node)?.slice(1).map(Number) ?? [];
  const isBelow = (version: string) => {
    const [major = 0, minor = 0] = version.split('.').map(Number);
    const [leastMajor = 0, leastMinor = 0] = least;
    return major < leastMajor || (major === leastMajor && minor < leastMinor);
  };

  it('is as new as each production package needs it', () => {
    const needed = inProduction.flatMap(
      ([, { engines }]) => />=\s*([\d.]+)$/.exec(engines?.node ?? '')?.[1] ?? [],
    );
    expect(needed.length).toBeGreaterThan(20);
    const newest = needed
      .filter((version) => !isBelow(version))
      .map((version) => version.split('.', 2).join('.'));
    expect([...new Set(newest)]).toEqual([least.join('.')]);
  });

  it('is the version that the command asks for', () =>
    expect(read('cli/offprint.mjs')).toContain(least.join('.')));

  it('is available for Linux and macOS on both processors and for Windows, in a recent version', () => {
    const builds = Object.entries(manifest.optionalDependencies).filter(([name]) => name.startsWith('node-'));
    expect(builds.map(([name]) => name.replace(/^node-(?:bin-)?/, '')).sort()).toEqual([
      ...['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win-x64'],
    ]);
    for (const [name, version] of builds) {
      expect(packages[`node_modules/${name}`]?.version).toBe(version);
      expect(isBelow(version), name).toBe(false);
    }
  });
});
