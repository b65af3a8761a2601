import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

it('the reader contains the current client, in one file', async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../../../client/source/index.ts', import.meta.url))],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    banner: { js: '// @ts-nocheck offprint-client (MIT), bundled by test/examples/thorough/client.test.ts' },
  });
  await expect(outputFiles[0]?.text).toMatchFileSnapshot('../../../examples/reader/offprint-client.js');
});
