import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

it('the script that exports have is the current one, in one file', async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../../../build/export/search/search.ts', import.meta.url))],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    banner: { js: '// Offprint (MIT): docs/contributors/search-index.md' },
  });
  await expect(outputFiles[0]?.text).toMatchFileSnapshot('../../../build/export/search/search.js');
});
