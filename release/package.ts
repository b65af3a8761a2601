/**
 * `npm run package`: compiles the package into dist/offprint/ and the client into client/dist/, and packs them as
 * dist/offprint-VERSION.tgz and dist/offprint-client-VERSION.tgz.
 */
import { programFile } from '../common/program-files.ts';
import { compilePackage } from './compile.ts';
import { packAll } from './pack.ts';

const DIST = programFile('dist/');

await compilePackage(`${DIST}offprint`);
for (const file of packAll(`${DIST}offprint`, DIST)) console.log(`dist/${file}`);
