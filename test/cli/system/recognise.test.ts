/** A source without a format: what it is taken for, and what to do if that is not clear. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { readImports } from '../../../cli/import-record.ts';
import { program } from '../../../cli/main.ts';
import { blogPaths } from '../../build/temporary-folder.ts';
import { folderOf } from '../../import/folder.ts';
import { answerOf, offprintInProcess } from '../../service/in-process.ts';
import { commandFault, commandWords } from '../pasted.ts';

const POST = '---\ntitle: A\ndate: 2020-01-01\n---\nText.';
const BOTH = { 'hugo.toml': '', '_config.yml': '', '_posts/2020-01-01-a.md': POST };

function place() {
  const { folder, out } = blogPaths();
  const [db, config] = [join(folder, 'my blog.db'), join(folder, 'offprint.json')];
  const run = (...args: readonly string[]) =>
    offprintInProcess([...args, '--db', db, '--out', out, '--config', config]);
  const write = (settings: unknown): void => writeFileSync(config, JSON.stringify(settings));
  write({});
  return { db, out, config, run, write };
}

describe('import without a format', () => {
  it('says in one line what it took the source for, and not in JSON', async () => {
    const { run, db } = place();
    const folder = folderOf({ 'a.md': POST });
    const { code, stdout } = await run('import', folder);
    expect(code).toBe(0);
    expect(stdout).toMatch(`recognised ${folder}: a folder of Markdown (format markdown)\n`);
    expect(stdout).toContain('found 1: 1 published');
    expect(await answerOf(['import', folder, '--db', db])).toMatchObject({ found: 1 });
  });

  it.each([
    ['import', ['import'], ['--site', 'https://a.example']],
    ['start', ['start', '--import'], ['--port', '0']],
  ])('asks by %s if there are several, with commands to paste', async (_, words, more) => {
    const { run, db } = place();
    const folder = folderOf(BOTH);
    const { code, stdout, stderr } = await run(...words, folder, ...more);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`${folder} is a Hugo site and a Jekyll site. Choose how to read it:\n`);
    const commands = stderr.trim().split('\n').slice(1);
    const after = (format: string) =>
      expect.stringContaining(`${words.at(-1)} ${format} ${folder} ${more.join(' ')} --db '${db}' --out`);
    expect(commands).toEqual([after('hugo'), after('jekyll')]);
    const known = await program();
    for (const command of commands)
      expect(commandFault(known, commandWords(command) ?? [], true), command).toBeNull();
    expect(existsSync(db)).toBe(false);
  });

  it('says what to do about what it does not recognise', async () => {
    for (const [source, says] of [
      [folderOf({ 'a.txt': 'Text' }), / is not recognised as a Hugo or Jekyll site, a folder of /],
      ['wordpres', /no file or folder at wordpres, and no format with this name\. Formats are markdown, /],
      ['blog.example', /If it is a URL, write https:\/\/blog\.example\./],
      ['blog.example/feed.xml', /If it is a URL, write https:\/\/blog\.example\/feed\.xml\./],
    ] as const)
      expect(await place().run('import', source)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(says),
      });
  });
});

test('an address that is given later is a change', async () => {
  const { run } = place();
  const folder = folderOf({ 'a.md': POST });
  expect((await run('import', folder)).stdout).toContain('begin with https://blog.example');
  const again = await run('import', folder, '--site', 'https://q.example');
  expect(again.stdout).toMatch(/1 post unchanged.*\nPublish it: /);
  expect((await run('import', folder, '--site', 'https://q.example')).stdout).toContain(
    'Nothing has changed.',
  );
});

describe('an entry of offprint.json without a format', () => {
  it('is recognised at its import, and known by its path', async () => {
    const { run, write, out } = place();
    const folder = folderOf({ 'a.md': POST });
    write({ import: [{ path: folder }] });
    expect((await run('import')).stdout).toContain('found 1: 1 published');
    expect((await run('import')).stdout).toBe(`unchanged markdown ${folder}\n`);
    expect(readImports(out)).toMatchObject([{ format: 'markdown' }]);
  });

  it('fails if it is not there or could be several, and says what to do in the file', async () => {
    const both = folderOf(BOTH);
    const missing = join(both, 'gone');
    for (const [path, says] of [
      [missing, 'There is no such file or folder. Correct its entry in "import" of offprint.json.'],
      [both, `${both} is a Hugo site and a Jekyll site. In offprint.json, add "format": "hugo" or `],
    ] as const) {
      const { run, write, config } = place();
      write({ import: [{ path }] });
      for (const [command = '', ...more] of [['import'], ['start', '--port', '0']]) {
        const { code, stderr } = await run(command, ...more);
        expect([code, stderr]).toEqual([1, expect.stringContaining(`not imported: ${path}: ${says}`)]);
        if (command === 'start') expect(stderr).toContain(`correct "import" of ${config}.`);
      }
    }
  });
});
