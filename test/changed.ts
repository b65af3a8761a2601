/**
 * `npm run test:changed [-- REF]`: the tests of `npm test` that a change reaches, by the table of test/README.md. The change is what
 * differs from REF, by default from the last commit, and new files. Exit codes are Vitest's.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { reachedAreas, readMap } from './map.ts';

const git = (...args: string[]) =>
  execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
const [ref = 'HEAD'] = process.argv.slice(2);
const changed = [
  ...git('diff', '--name-only', ref, '--'),
  ...git('ls-files', '--others', '--exclude-standard'),
];
const areas = reachedAreas(changed, readMap());
if (areas?.length === 0) {
  console.log(`No test is reached by what differs from ${ref}.`);
} else {
  console.log(`${changed.length} changed files reach ${areas?.join(', ') ?? 'all tests'}.`);
  const filters = areas?.map((area) => `test/${area}/`) ?? [];
  const args = ['run', '--mode', 'quick', '--passWithNoTests', ...filters];
  const { status } = spawnSync('vitest', args, { stdio: 'inherit' });
  console.log(`Before a merge, also: npx vitest run --mode thorough ${filters.join(' ')}`);
  process.exitCode = status ?? 1;
}
