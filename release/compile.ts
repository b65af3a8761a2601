/**
 * Compiles a checkout into the folder of the package:
 *
 *     bundle        the program in JavaScript, with the packages that it uses     esbuild; package-files.ts
 *     copyFiles     files that are read at run time, and documents                package-files.ts
 *     manifest      package.json
 *     makeWorker    the Worker in one file, and its configuration
 *     notices       the licences of bundled packages
 */
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import fastGlob from 'fast-glob';
import { documentationProgram, engineProgram } from '../build/output/program.ts';
import { referenceFile } from '../build/page/reference.ts';
import { programFile } from '../common/program-files.ts';
import { findPackages, notices } from './notices.ts';
import { ENTRIES, INSTALLED, PACKAGE_FILES } from './package-files.ts';
import { bundleWorker, WORKER_ENTRY } from './worker-bundle.ts';

const ROOT = programFile('.');
/** The path of the API reference in the package. */
const REFERENCE = 'build/page/scalar.js';

/** Replaces the content of `folder` by the package. */
export async function compilePackage(folder: string): Promise<void> {
  const bundled = [await compileProgram(folder), await makeWorker(folder)];
  const inputs = bundled.flatMap((metafile) => Object.keys(metafile.inputs));
  const packages = await findPackages(ROOT, [...inputs, referenceFile()]);
  await writeFile(join(folder, 'NOTICES.md'), await notices(ROOT, packages));
}

/** Replaces the content of `folder` by the program alone: the part of the package that runs on Node. */
export async function compileProgram(folder: string): Promise<Metafile> {
  await rm(folder, { recursive: true, force: true });
  const metafile = await bundle(folder);
  await copyFiles(folder);
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(await manifest(), null, 2)}\n`);
  return metafile;
}

async function bundle(folder: string): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: Object.entries(ENTRIES).map(([out, path]) => ({ in: path, out })),
    outdir: folder,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    minifyWhitespace: true,
    minifySyntax: true,
    platform: 'node',
    target: 'node22',
    external: [...INSTALLED],
    plugins: [evaluated],
    // CommonJS packages call `require` for Node's modules.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  // Not compiled, so that it can report a Node version that is too old for the rest.
  const start = await readFile(programFile('cli/offprint.mjs'), 'utf8');
  await writeFile(join(folder, 'cli/offprint.mjs'), start.replace("'./main.ts'", "'./main.js'"), {
    mode: 0o755,
  });
  return metafile;
}

/** Replaces modules that read the checkout by their results. */
const evaluated: Plugin = {
  name: 'evaluated',
  setup({ onLoad }) {
    const text = (name: string, value: string) => `export const ${name} = () => ${JSON.stringify(value)};\n`;
    const modules: Readonly<Record<string, () => string>> = {
      'build/output/program.ts': () =>
        text('engineProgram', engineProgram()) + text('documentationProgram', documentationProgram()),
      'build/page/reference.ts': () =>
        "import { programFile } from '../../common/program-files.ts';\n" +
        `export const referenceFile = () => programFile(${JSON.stringify(REFERENCE)});\n`,
    };
    onLoad({ filter: /\/(?:program|reference)\.ts$/ }, ({ path }) => {
      const contents = modules[path.slice(ROOT.length)]?.();
      return contents === undefined ? undefined : { contents, resolveDir: dirname(path) };
    });
  },
};

async function makeWorker(folder: string): Promise<Metafile> {
  const metafile = await bundleWorker(join(folder, 'worker/worker.js'), { minify: false });
  // Its users copy it to the folder in which they install the package.
  const config = await readFile(programFile('deploy/wrangler.jsonc'), 'utf8');
  const copied = config
    .replace('"../node_modules/', '"node_modules/')
    .replace(`"../${WORKER_ENTRY}"`, '"node_modules/offprint/worker/worker.js"');
  await writeFile(join(folder, 'worker/wrangler.jsonc'), copied);
  return metafile;
}

async function copyFiles(folder: string): Promise<void> {
  const copied = new Set<string>();
  for (const pattern of PACKAGE_FILES) {
    const paths = await fastGlob(pattern, { cwd: ROOT, dot: true });
    if (paths.length === 0) throw new Error(`The checkout has no ${pattern}, which the package needs.`);
    for (const path of paths) {
      await copy(programFile(path), join(folder, path));
      copied.add(path);
    }
  }
  await copy(referenceFile(), join(folder, REFERENCE));
  for (const path of [...copied].filter((name) => name.endsWith('.md') && !name.startsWith('data/'))) {
    const text = await readFile(join(folder, path), 'utf8');
    await writeFile(join(folder, path), withoutDeadLinks(path, text, copied));
  }
}

/** A document with the text alone of each link to a file that only the checkout has, and without its images. */
function withoutDeadLinks(path: string, markdown: string, files: ReadonlySet<string>): string {
  return markdown.replace(RELATIVE_LINK, (link, image: string, text: string, target: string) => {
    if (files.has(join(dirname(path), target))) return link;
    return image === '' ? text : '';
  });
}

/** `![text](../file.md#part)`: whether it is an image, the text and the file. */
const RELATIVE_LINK = /(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)#\s]+)[^)]*\)/g;

async function copy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await cp(from, to);
}

/** The package.json for users of the package, from the checkout's. */
async function manifest(): Promise<object> {
  const { default: checkout } = await import('../package.json', { with: { type: 'json' } });
  const { name, version, description, license, type, bin, engines } = checkout;
  const dependencies = Object.entries(checkout.dependencies).filter(([one]) => INSTALLED.includes(one));
  return {
    name,
    version,
    description,
    license,
    type,
    bin,
    engines,
    dependencies: Object.fromEntries(dependencies),
  };
}
