/**
 * `npm run release -- VERSION`, in this order, so that a failure leaves nothing behind:
 *
 *     checkReady     a clean checkout, the next version, changes to release
 *     checkPackages  the registry has the packages for all platforms
 *     check:lock     npm ci accepts the lock file, whichever npm runs it
 *     npm test       all is green
 *     setVersion     package.json, package-lock.json, client/package.json, CHANGELOG.md
 *     makeFiles      packages, image, bill of materials, notices and checksums in dist/
 *     git            commit and tag; you push and publish
 *
 * With `--dry-run` it makes the files and restores the checkout: no commit, no tag.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageVersion } from '../common/package-version.ts';
import { programFile } from '../common/program-files.ts';
import { messageOf } from '../common/thrown.ts';
import { releaseChanges } from './changelog.ts';
import { compilePackage } from './compile.ts';
import { buildImage } from './image.ts';
import { pack, packClient } from './pack.ts';
import { missingPackages, optionalPackages, RegistrySilent } from './platform-packages.ts';
import { isNext } from './version.ts';

const ROOT = programFile('.');
const DIST = programFile('dist');
const CHANGELOG = programFile('CHANGELOG.md');

const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
const npm = (...args: readonly string[]) => execFileSync('npm', args, { cwd: ROOT, stdio: 'inherit' });

const { values, positionals } = parseArgs({
  options: { 'dry-run': { type: 'boolean', default: false } },
  allowPositionals: true,
});
try {
  await release(positionals, values['dry-run']);
} catch (error) {
  console.error(`error: ${messageOf(error)}`);
  process.exitCode = 1;
}

async function release([version, ...more]: readonly string[], isDryRun: boolean): Promise<void> {
  if (version === undefined || more.length > 0)
    throw new Error('Name one version: npm run release -- 1.2.3 [--dry-run]');
  const changelog = checkReady(version);
  await checkPackages();
  npm('run', '--silent', 'check:lock');
  npm('test');
  try {
    setVersion(version, changelog);
    const files = await makeFiles(version);
    if (!isDryRun) {
      git('commit', '--quiet', '--all', '-m', `release: ${version}`);
      git('tag', '--annotate', `v${version}`, '-m', `Offprint ${version}`);
    }
    console.log(`${isDryRun ? 'would release' : 'released'} ${version}: ${files.join(', ')} in dist/`);
    if (!isDryRun) console.log(`Push it: git push --atomic origin HEAD v${version}`);
  } finally {
    // Does nothing after the commit.
    git('checkout', '--quiet', '--', '.');
  }
}

/** @returns the changelog of the version @throws Error if something is not ready */
function checkReady(version: string): string {
  const changed = git('status', '--porcelain');
  if (changed !== '') throw new Error(`The checkout has changes that are not committed:\n${changed}`);
  const current = packageVersion(programFile('package.json'));
  if (!isNext(version, current)) throw new Error(`${version} is not the next version after ${current}.`);
  if (git('tag', '--list', `v${version}`) !== '') throw new Error(`The tag v${version} already exists.`);
  const today = new Date().toISOString().slice(0, 10);
  return releaseChanges(readFileSync(CHANGELOG, 'utf8'), version, today);
}

/** Without a registry it only says so. @throws Error that names what the registry does not have */
async function checkPackages(): Promise<void> {
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { cwd: ROOT, encoding: 'utf8' }).trim();
  const packages = optionalPackages(readFileSync(programFile('package-lock.json'), 'utf8'));
  try {
    const missing = await missingPackages(packages, registry);
    if (missing.length > 0)
      throw new Error(
        `The registry does not have ${missing.join(', ')}. Change package.json or update the lock file.`,
      );
  } catch (error) {
    if (!(error instanceof RegistrySilent)) throw error;
    console.error(`note: the packages for other platforms were not checked. ${error.message}`);
  }
}

function setVersion(version: string, changelog: string): void {
  const set = ['version', '--no-git-tag-version', '--ignore-scripts', version];
  execFileSync('npm', set, { cwd: ROOT, stdio: 'ignore' });
  execFileSync('npm', set, { cwd: programFile('client'), stdio: 'ignore' });
  writeFileSync(CHANGELOG, changelog);
}

/** @returns the names of the files in dist/ */
async function makeFiles(version: string): Promise<readonly string[]> {
  rmSync(DIST, { recursive: true, force: true });
  mkdirSync(DIST);
  const folder = join(DIST, 'offprint');
  await compilePackage(folder);
  const files = [pack(folder, DIST), packClient(DIST)];
  const bill = `offprint-${version}.cdx.json`;
  writeFileSync(join(DIST, bill), billOfMaterials());
  cpSync(join(folder, 'NOTICES.md'), join(DIST, 'NOTICES.md'));
  files.push(bill, 'NOTICES.md');
  const image = `offprint-${version}-image.tar`;
  if (buildImage(ROOT, version, join(DIST, image))) files.push(image);
  else console.error('note: without Docker or Podman no image was built.');
  const sums = files.map((file) => {
    const hash = createHash('sha256').update(readFileSync(join(DIST, file)));
    return `${hash.digest('hex')}  ${file}\n`;
  });
  writeFileSync(join(DIST, 'SHA256SUMS'), sums.join(''));
  return [...files, 'SHA256SUMS'];
}

/**
 * What production installs, in CycloneDX, by `npm sbom` in a folder of its own: there the lock file is without development
 * packages. (`--omit=dev` leaves out packages that some development package needs too.)
 */
function billOfMaterials(): string {
  const cwd = join(DIST, 'bill/offprint');
  mkdirSync(cwd, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) cpSync(programFile(file), join(cwd, file));
  const npmHere = (...args: readonly string[]) =>
    execFileSync('npm', [...args, '--package-lock-only', '--offline', '--loglevel=error'], {
      cwd,
      encoding: 'utf8',
    });
  npmHere('pkg', 'delete', 'devDependencies');
  npmHere('prune');
  const bill = npmHere('sbom', '--sbom-format=cyclonedx', '--sbom-type=application');
  rmSync(join(DIST, 'bill'), { recursive: true });
  return bill;
}
