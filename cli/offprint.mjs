#!/usr/bin/env -S node --max-semi-space-size=4
// The way in. Plain JavaScript, so that a Node too old for everything else can still say so. Young objects get
// 4 MB, here and in package.json: by default they may take 48, and no request is answered faster for it.
import { fileURLToPath } from 'node:url';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `Offprint needs Node 22.19 or newer, and this is Node ${process.versions.node}. ` +
      'Install a newer one. In a checkout, npm 11.6 or newer does so: npm ci && npm start.',
  );
  process.exit(1);
}
// How V8 keeps memory is told before it has made room.
const { setFlagsFromString } = await import('node:v8');
const [, , command = ''] = process.argv;
if (command === 'serve' || command === 'start') {
  // While caches fill, all that is made lives on, and V8 learns to make it old from the start. Once they are full,
  // that would be garbage which only the slow collections remove (decision 72).
  setFlagsFromString('--no-allocation-site-pretenuring');
  // What is old may grow by a quarter before it is looked through, not to four times its size.
  setFlagsFromString('--heap-growing-percent=25');
}
// A build holds lists of all posts for a moment. Left to itself, V8 keeps room for three times as much.
if (command === 'build') setFlagsFromString('--heap-growing-percent=25');
// Importing makes and drops much text. Left to itself, V8 lets 100 MB of it lie before it looks.
if (command === 'import') setFlagsFromString('--optimize-for-size');
// What is stripped of types and compiled is kept here, not in a folder for all users: it is run as it is.
// Where it cannot be written, starting takes a little longer.
const { enableCompileCache, flushCompileCache } = await import('node:module');
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/offprint', import.meta.url)));
setTimeout(flushCompileCache, 1000).unref(); // Not only at the end: a server may be killed.
const { main } = await import('./main.ts');
process.exitCode = await main(process.argv.slice(2));
