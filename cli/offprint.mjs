#!/usr/bin/env node
// The way in. Plain JavaScript, so that a Node too old for everything else can still say so.
import { fileURLToPath } from 'node:url';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Offprint needs Node 22.18 or newer, and this is Node ${process.versions.node}. ` +
      'Run it through npm, which brings its own: npm start, or npm run -s offprint -- COMMAND.',
  );
  process.exit(1);
}
// Left to itself, V8 lets much that was dropped lie before it looks; and it must be told otherwise before it
// has made room for that. Importing makes and drops much text; serving needs half the memory so, and no
// more time (bench/README.md).
const [command] = process.argv.slice(2);
const { setFlagsFromString } = await import('node:v8');
if (command === 'import') setFlagsFromString('--optimize-for-size');
if (command === 'serve' || command === 'start') setFlagsFromString('--semi-space-growth-factor=1');
// What is stripped of types and compiled is kept here, not in a folder for all users: it is run as it is.
// Where it cannot be written, starting takes a little longer.
const { enableCompileCache, flushCompileCache } = await import('node:module');
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/offprint', import.meta.url)));
setTimeout(flushCompileCache, 1000).unref(); // Not only at the end: a server may be killed.
const { main } = await import('./main.ts');
process.exitCode = await main(process.argv.slice(2));
