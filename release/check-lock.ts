/**
 * `npm run check:lock`: whether `npm ci` accepts package-lock.json, for each npm that a newcomer may have. Newer ones leave out
 * of the lock file what older ones ask for. Installs nothing here.
 */
import { execFileSync } from 'node:child_process';
import { programFile } from '../common/program-files.ts';

/** Those of Node 20, 22 and 24, and the newest. */
const VERSIONS = ['10.8', '10.9', '11.0', 'latest'];

for (const version of VERSIONS) {
  const args = ['--yes', `npm@${version}`, 'ci', '--dry-run', '--loglevel=error'];
  try {
    execFileSync('npx', args, {
      cwd: programFile('.'),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    console.log(`npm ${version} accepts the lock file`);
  } catch {
    console.error(
      `error: npm ci fails with npm ${version}: see above. A package of package.json, or one of its own, must change.`,
    );
    process.exitCode = 1;
  }
}
