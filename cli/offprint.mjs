#!/usr/bin/env -S node --max-semi-space-size=4
// The entry point. Plain JavaScript, so that an old Node can still print the error. The semi-spaces of V8's young generation
// get 4 MB each, here, in package.json and in child-command.ts: with 16 MB, a cached answer takes 4 % less processor time,
// and the process 20 MB more.
import { fileURLToPath } from 'node:url';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `Offprint needs Node 22.19 or newer, and this is Node ${process.versions.node}. ` +
      'Install a newer one. In a checkout, npm 11.6 or newer does so: npm ci && npm start.',
  );
  process.exit(1);
}
// By default, Node opens a debugger's port.
process.on('SIGUSR1', () => {});
// V8's memory flags must be set before it allocates.
const { setFlagsFromString } = await import('node:v8');
const [, , command = ''] = process.argv;
if (command === 'serve' || command === 'start') {
  // While caches fill, new objects survive, and V8 learns to allocate them in the old generation. When caches are full,
  // these objects would be garbage that only slow collections remove (decision 72).
  setFlagsFromString('--no-allocation-site-pretenuring');
  // The old generation may grow by a quarter before a collection, not to four times its size.
  setFlagsFromString('--heap-growing-percent=25');
}
// A build briefly holds lists of all posts. By default, V8 reserves three times as much memory; with less than this, it collects
// all the time while they grow.
if (command === 'build') {
  setFlagsFromString('--heap-growing-percent=60');
  // The flag of the first line would take precedence over the limits of a build's threads (render-threads.ts).
  setFlagsFromString('--max-semi-space-size=0');
}
// Imports create much short-lived text. By default, V8 collects only after 100 MB of it.
if (command === 'import') setFlagsFromString('--optimize-for-size');
// The compile cache is private, not in a folder shared by users, since its code is run unchecked.
// If it cannot be written, starts take a little longer.
const { enableCompileCache, flushCompileCache } = await import('node:module');
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/offprint', import.meta.url)));
setTimeout(flushCompileCache, 1000).unref(); // Not only at the end: a server may be killed.
const { main } = await import('./main.ts');
process.exitCode = await main(process.argv.slice(2));
