#!/usr/bin/env -S node --max-semi-space-size=4
// The way in. Plain JavaScript, so that a Node too old for everything else can still say so. Young objects get
// 4 MB, here and in package.json: by default they may take 48, and no request is answered faster for it.
import { fileURLToPath } from 'node:url';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Offprint needs Node 22.18 or newer, and this is Node ${process.versions.node}. ` +
      'Run it through npm, which brings its own: npm start, or npm run -s offprint -- COMMAND.',
  );
  process.exit(1);
}
// Importing makes and drops much text. Left to itself, V8 lets 100 MB of it lie before it looks; and it must
// be told before it has made room for that.
if (process.argv[2] === 'import') {
  const { setFlagsFromString } = await import('node:v8');
  setFlagsFromString('--optimize-for-size');
}
// What is stripped of types and compiled is kept here, not in a folder for all users: it is run as it is.
// Where it cannot be written, starting takes a little longer.
const { enableCompileCache, flushCompileCache } = await import('node:module');
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/offprint', import.meta.url)));
setTimeout(flushCompileCache, 1000).unref(); // Not only at the end: a server may be killed.
const { main } = await import('./main.ts');
process.exitCode = await main(process.argv.slice(2));
