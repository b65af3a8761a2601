import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { packageAt, type UsedPackage } from './notices.ts';

const LOCK = v.object({
  packages: v.record(
    v.string(),
    v.object({
      integrity: v.optional(v.string()),
      dependencies: v.optional(v.record(v.string(), v.string()), {}),
    }),
  ),
});

/**
 * What a release consists of, in CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/): the packages that are built into it,
 * and those that npm installs with it. It has neither time nor serial number, so the same release always has the same one.
 *
 * @param root the checkout
 * @param bundled the packages that are built in
 * @param installed the names of the package's dependencies
 * @throws Error if the lock file lacks a package
 */
export async function billOfMaterials(
  root: string,
  version: string,
  bundled: readonly UsedPackage[],
  installed: readonly string[],
): Promise<string> {
  const { packages: locked } = v.parse(
    LOCK,
    JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')),
  );
  const folders = new Set(installed.map((name) => `node_modules/${name}`));
  // A set's iterator also visits what is added meanwhile.
  for (const folder of folders)
    for (const name of Object.keys(locked[folder]?.dependencies ?? {})) folders.add(`node_modules/${name}`);
  const others = await Promise.all([...folders].map((folder) => packageAt(root, folder)));
  const components = [...bundled, ...others].map(({ name, version, license, folder }) => {
    const integrity = locked[folder]?.integrity;
    if (integrity === undefined) throw new Error(`package-lock.json has no checksum of ${folder}.`);
    return {
      type: 'library',
      'bom-ref': folder,
      name,
      version,
      licenses: [/ (?:OR|AND|WITH) /.test(license) ? { expression: license } : { license: { id: license } }],
      purl: purlOf(name, version),
      hashes: [hashOf(integrity)],
    };
  });
  const release = `offprint@${version}`;
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': release,
        name: 'offprint',
        version,
        licenses: [{ license: { id: 'MIT' } }],
        purl: purlOf('offprint', version),
      },
    },
    components,
    dependencies: [{ ref: release, dependsOn: components.map((one) => one['bom-ref']) }],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

/** Its package URL (https://github.com/package-url/purl-spec). */
function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** @param integrity by Subresource Integrity: `sha512-BASE64` */
function hashOf(integrity: string): { readonly alg: string; readonly content: string } {
  const [algorithm = '', base64 = ''] = integrity.split('-', 2);
  return { alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(base64, 'base64').toString('hex') };
}
