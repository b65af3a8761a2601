/**
 * `npm run release -- VERSION`. A failure leaves nothing behind:
 *
 *     setVersion     package.json, package-lock.json, client/package.json, CHANGELOG.md
 *     check:lock     npm ci accepts the lock file, whichever npm runs it
 *     npm test       all is green
 *     makeFiles      packages, image, bill of materials, notices and checksums in dist/
 *     git            commit and tag; you push and publish
 *
 * With `--dry-run` it makes the files and restores the checkout: no commit, no tag.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageVersion } from '../common/package-version.ts';
import { programFile } from '../common/program-files.ts';
import { messageOf } from '../common/thrown.ts';
import { packAll } from './pack.ts';

const ROOT = programFile('.');
const DIST = programFile('dist');
const CHANGELOG = programFile('CHANGELOG.md');
const UNRELEASED = '## [Unreleased]\n';

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

async function release([step, ...more]: readonly string[], isDryRun: boolean): Promise<void> {
  if (step === undefined || more.length > 0)
    throw new Error('Pass one version, or patch, minor or major: npm run release -- 1.2.3 [--dry-run]');
  const changed = git('status', '--porcelain');
  if (changed !== '') throw new Error(`The checkout has changes that are not committed:\n${changed}`);
  try {
    const version = setVersion(step);
    npm('run', '--silent', 'check:lock');
    npm('test');
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

/** @param step as `npm version` takes it @returns the version @throws Error if there are no unreleased changes */
function setVersion(step: string): string {
  for (const cwd of [ROOT, programFile('client')])
    execFileSync('npm', ['version', '--no-git-tag-version', '--ignore-scripts', '--loglevel=error', step], {
      cwd,
      stdio: 'pipe',
    });
  const version = packageVersion(programFile('package.json'));
  const [before = '', after = ''] = readFileSync(CHANGELOG, 'utf8').split(UNRELEASED);
  if (!/^- /m.test(after.split(/^## /m)[0] ?? ''))
    throw new Error('CHANGELOG.md has no change under Unreleased to release.');
  const today = new Date().toISOString().slice(0, 10);
  writeFileSync(CHANGELOG, `${before}${UNRELEASED}\n## [${version}] - ${today}\n${after}`);
  return version;
}

/** @returns the names of the files in dist/ */
async function makeFiles(version: string): Promise<readonly string[]> {
  rmSync(DIST, { recursive: true, force: true });
  mkdirSync(DIST);
  const folder = join(DIST, 'offprint');
  // The program's version is read as it is loaded.
  const { compilePackage } = await import('./compile.ts');
  await compilePackage(folder);
  const files = packAll(folder, DIST);
  const bill = `offprint-${version}.cdx.json`;
  writeFileSync(join(DIST, bill), billOfMaterials());
  cpSync(join(folder, 'NOTICES.md'), join(DIST, 'NOTICES.md'));
  files.push(bill, 'NOTICES.md');
  const image = `offprint-${version}-image.tar`;
  if (buildImage(version, join(DIST, image))) files.push(image);
  else console.error('note: without Docker no image was built.');
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

/**
 * Builds the container image `offprint:VERSION`, and writes it to a file for `docker load`.
 *
 * @returns false: Docker does not work here
 */
function buildImage(version: string, file: string): boolean {
  const docker = (...args: readonly string[]) =>
    spawnSync('docker', args, { cwd: ROOT, stdio: 'inherit' }).status === 0;
  if (spawnSync('docker', ['info'], { stdio: 'ignore' }).status !== 0) return false;
  const name = `offprint:${version}`;
  if (!docker('build', '-f', 'deploy/Dockerfile', '-t', name, '.') || !docker('save', '--output', file, name))
    throw new Error('Docker could not build the image.');
  return true;
}
