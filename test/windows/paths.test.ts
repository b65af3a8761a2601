import { writeFileSync } from 'node:fs';
import { join, win32 } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addImport, readConfig } from '../../cli/settings.ts';
import { isLeftOut } from '../../cli/start/watched-files.ts';
import { missingFolders } from '../../common/output-files.ts';
import { quotedOnWindows } from '../../common/shell.ts';
import { withSlashes } from '../../common/slashes.ts';
import { programPaths, toSpawnCommand } from '../../import/engine/program.ts';
import { pathBelow } from '../../import/engine/source.ts';
import { temporaryFolder } from '../build/temporary-folder.ts';

describe('a path of Windows', () => {
  it.each([
    [String.raw`posts\2024\hello.md`, 'posts/2024/hello.md'],
    [String.raw`C:\blog\hello.md`, 'C:/blog/hello.md'],
    [String.raw`\\server\share\blog`, '//server/share/blog'],
    ['hello.md', 'hello.md'],
    ['', ''],
  ])('is reported with slashes: %s', (path, written) => {
    expect(withSlashes(path, win32)).toBe(written);
  });

  it.each([
    [String.raw`C:\blog\posts\a.md`, 'posts/a.md'],
    // As Ruby and Hugo write it, and with other letters.
    ['C:/blog/posts/a.md', 'posts/a.md'],
    [String.raw`c:\Blog\posts\a.md`, 'posts/a.md'],
    [`C:\\blog\\${'long\\'.repeat(60)}a.md`, `${'long/'.repeat(60)}a.md`],
    [String.raw`C:\blog`, null],
    [String.raw`C:\other\a.md`, null],
    [String.raw`D:\blog\posts\a.md`, null],
    [String.raw`\\server\share\blog\posts\a.md`, null],
  ])('is named from the folder of its site: %s', (file, path) => {
    expect(pathBelow(String.raw`C:\blog`, file, win32)).toBe(path);
  });

  it('is named from a shared folder', () => {
    const blog = String.raw`\\server\share\blog`;
    expect(pathBelow(blog, String.raw`${blog}\a\b.md`, win32)).toBe('a/b.md');
  });

  it.each([
    [String.raw`C:\blog\node_modules\x\README.md`, true],
    ['C:/blog/node_modules/x/README.md', true], // As chokidar gives it.
    [String.raw`C:\blog\.git`, true],
    [String.raw`C:\blog\posts\a.md`, false],
    [String.raw`C:\node_modules\a.md`, false],
  ])('is not watched in a folder that imports leave out: %s', (path, isOut) => {
    expect(isLeftOut(path, [String.raw`C:\blog`], win32)).toBe(isOut);
  });

  it.each([
    [String.raw`C:\blog\out`, String.raw`C:\blog\out`],
    [String.raw`C:\Users\Ada Lovelace\out`, String.raw`"C:\Users\Ada Lovelace\out"`],
    [String.raw`C:\it's\out`, String.raw`"C:\it's\out"`],
    ['https://api.example', 'https://api.example'],
  ])('is quoted in a command for cmd.exe and PowerShell: %s', (path, argument) => {
    expect(quotedOnWindows(path)).toBe(argument);
  });
});

describe('offprint.json', () => {
  it.each([
    ['UTF-8', (text: string) => Buffer.from(text)],
    ['UTF-8 with a byte order mark', (text: string) => Buffer.from(`\uFEFF${text}`)],
    ['UTF-16', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16 of the other byte order', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
  ])('may be in %s, with line ends of Windows', (_, encoded) => {
    const path = join(temporaryFolder(), 'offprint.json');
    writeFileSync(path, encoded('{\r\n  "site": { "name": "Ä" }\r\n}\r\n'));
    expect(readConfig(path).site.name).toBe('Ä');
    addImport(path, 'markdown', 'posts')?.write();
    expect(readConfig(path)).toMatchObject({ site: { name: 'Ä' }, import: [{ format: 'markdown' }] });
  });

  it('in another encoding is refused: it would lose letters', () => {
    const path = join(temporaryFolder(), 'offprint.json');
    writeFileSync(path, '{ "site": { "name": "Ä" } }', 'latin1');
    expect(() => readConfig(path)).toThrow(/not valid for encoding utf-8/);
  });
});

describe('folders to create', () => {
  const existing = new Set(['C:\\', String.raw`C:\blog`, '\\\\server\\share\\']);

  it.each([
    [String.raw`C:\blog\out\state`, [String.raw`C:\blog\out`, String.raw`C:\blog\out\state`]],
    [String.raw`C:\blog`, []],
    [String.raw`\\server\share\out`, [String.raw`\\server\share\out`]],
    // There is no such drive.
    [String.raw`Z:\out`, ['Z:\\', String.raw`Z:\out`]],
  ])('are those that are missing: %s', (path, folders) => {
    expect(missingFolders(path, (folder) => existing.has(folder), win32)).toEqual(folders);
  });
});

describe('a program', () => {
  const variables = { PATH: String.raw`C:\Ruby34\bin;C:\Hugo`, PATHEXT: '.COM;.EXE;.BAT;.CMD' };

  it('is looked for with each extension of programs, folder by folder', () => {
    expect(programPaths('jekyll', variables, win32)).toEqual([
      ...['.COM', '.EXE', '.BAT', '.CMD'].map((end) => String.raw`C:\Ruby34\bin\jekyll${end}`),
      ...['.COM', '.EXE', '.BAT', '.CMD'].map((end) => String.raw`C:\Hugo\jekyll${end}`),
    ]);
  });

  it.each([
    ['hugo.exe', [String.raw`C:\Ruby34\bin\hugo.exe`, String.raw`C:\Hugo\hugo.exe`]],
    [String.raw`D:\tools\hugo.exe`, [String.raw`D:\tools\hugo.exe`]],
    ['D:/tools/hugo.exe', [String.raw`D:\tools\hugo.exe`]],
  ])('has its own extension, or its own folder: %s', (name, paths) => {
    expect(programPaths(name, variables, win32)).toEqual(paths);
  });

  it('is looked for by its name on other systems', () => {
    expect(programPaths('hugo', { PATH: '/usr/local/bin:/usr/bin' })).toEqual([
      '/usr/local/bin/hugo',
      '/usr/bin/hugo',
    ]);
  });

  it('is started by Node if it is no batch file', () => {
    const program = String.raw`C:\Hugo\hugo.exe`;
    expect(toSpawnCommand(program, ['a b'])).toEqual({ command: program, args: ['a b'] });
  });

  it.each([
    ['build', '^"build^"'],
    [String.raw`C:\my site\out`, String.raw`^"C:\my^ site\out^"`],
    ['C:\\site\\', String.raw`^"C:\site\\^"`],
    ['a&b|c>d', '^"a^&b^|c^>d^"'],
    ['%PATH%', '^"^%PATH^%^"'],
    ['say "hi"', String.raw`^"say^ \^"hi\^"^"`],
    ['', '^"^"'],
  ])('is started by cmd.exe if it is a batch file, with each argument as it is: %s', (argument, quoted) => {
    expect(toSpawnCommand(String.raw`C:\Program Files\Ruby\jekyll.BAT`, [argument], 'cmd.exe')).toEqual({
      command: 'cmd.exe',
      args: ['/d', '/s', '/c', String.raw`"C:\Program^ Files\Ruby\jekyll.BAT ${quoted}"`],
      windowsVerbatimArguments: true,
    });
  });
});
