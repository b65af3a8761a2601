#!/usr/bin/env node
// The way in. Plain JavaScript, so that a Node too old for everything else can still say so.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Offprint needs Node 22.18 or newer, and this is Node ${process.versions.node}. ` +
      'Run it through npm, which brings its own: npm start, or npm run -s offprint -- COMMAND.',
  );
  process.exit(1);
}
if (process.argv[2] === 'import') {
  // It makes and drops much text. Left to itself, V8 lets 100 MB of it lie before it looks; and it must be
  // told before it has made room for that.
  const { setFlagsFromString } = await import('node:v8');
  setFlagsFromString('--optimize-for-size');
}
const { register } = await import('tsx/esm/api');
register();
const { main } = await import('./main.ts');
process.exitCode = await main(process.argv.slice(2));
