/** `npm run package`: compiles the package into dist/offprint/, and packs it as dist/offprint-VERSION.tgz. */
import { execFileSync } from 'node:child_process';
import { programFile } from '../common/program-files.ts';
import { compilePackage } from './compile.ts';

const DIST = programFile('dist/');

await compilePackage(`${DIST}offprint`);
const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', DIST, `${DIST}offprint`], {
  encoding: 'utf8',
});
console.log(`dist/${packed.trim()}`);
