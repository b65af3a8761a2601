/** Commands in the messages of errors can be pasted, with the files that were named. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { program } from '../../cli/main.ts';
import { temporaryFolder } from '../build/temporary-folder.ts';
import { offprintInProcess } from '../service/in-process.ts';
import { faultOf, printedCommands } from './pasted.ts';

const place = temporaryFolder;

it.each([
  ['build', ['--db', 'a b.db', '--out', 'out'], ["import ~/blog --db 'PLACE/a b.db' --out PLACE/out"]],
  ['serve', ['--out', 'out'], ['build --out PLACE/out']],
  ['snapshots list', ['--out', 'out'], ['build --out PLACE/out']],
  ['status', ['--out', 'out'], ['build --out PLACE/out']],
  ['snapshots verify', ['--out', 'out'], ['build --out PLACE/out']],
])('%s %j names %j', async (command, options, expected) => {
  const folder = place();
  const inPlace = options.map((word) => (word.startsWith('--') ? word : join(folder, word)));
  const { stdout, stderr } = await offprintInProcess([...command.split(' '), ...inPlace]);
  const commands = printedCommands(stdout + stderr);
  expect(commands.map((line) => line.replaceAll(folder, 'PLACE'))).toEqual(
    expected.map((line) => `npm run -s offprint -- ${line}`),
  );
  const known = await program();
  expect(commands.map((line) => faultOf(known, line))).toEqual(commands.map(() => null));
});
