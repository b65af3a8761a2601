/** `npm run docs`: writes the generated page. */
import { writeFileSync } from 'node:fs';
import { program } from '../cli/main.ts';
import { programFile } from '../common/program-files.ts';
import { commandsPage } from './commands-page.ts';

writeFileSync(programFile('docs/commands.md'), commandsPage(await program()));
