/** `npm run docs`: writes the generated pages, and install commands in all documents. */
import { readFileSync, writeFileSync } from 'node:fs';
import fastGlob from 'fast-glob';
import { program } from '../cli/main.ts';
import { withPackageSources } from '../common/npm-names.ts';
import { programFile } from '../common/program-files.ts';
import { commandsPage } from './commands-page.ts';

writeFileSync(programFile('docs/commands.md'), commandsPage(await program()));
for (const path of await fastGlob(['*.md', '{docs,client,examples}/**/*.md'], {
  cwd: programFile(''),
  ignore: ['**/node_modules'],
  absolute: true,
})) {
  const text = readFileSync(path, 'utf8');
  if (withPackageSources(text) !== text) writeFileSync(path, withPackageSources(text));
}
