/** `npm run package`: compiles the package into dist/offprint/, and packs it as dist/offprint-VERSION.tgz. */
import { programFile } from '../common/program-files.ts';
import { compilePackage } from './compile.ts';
import { pack } from './pack.ts';

const DIST = programFile('dist/');

await compilePackage(`${DIST}offprint`);
console.log(`dist/${pack(`${DIST}offprint`, DIST)}`);
