import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openArchive, pageText } from '../../../import/sources/archive.ts';
import { ArchiveInvalid, ExportMissing } from '../../../import/errors.ts';
import { readMediumExport } from '../../../import/medium/read.ts';
import { folderOf, NOW } from '../folder.ts';
import { collected, zipOf } from './archive.ts';

describe('a zip file', () => {
  it('may have a page that is too large: it is left out, and the others are imported', async () => {
    const zip = await zipOf({ 'posts/bomb.html': Buffer.alloc(50_000_000), 'posts/b.html': '<p>x</p>' });
    const { skipped } = await collected(readMediumExport(zip, { now: NOW }));
    expect(skipped).toEqual([
      expect.stringContaining('posts/b.html: is not a story'),
      'posts/bomb.html: is larger than 10 MB',
    ]);
  });

  it('is read up to a multiple of its size: pages after that are left out', async () => {
    const pages = Array.from({ length: 4 }, (_, i) => [`posts/${i}.html`, Buffer.alloc(9_000_000)] as const);
    const zip = await zipOf(Object.fromEntries(pages));
    const { skipped } = await collected(readMediumExport(zip, { now: NOW }));
    expect(skipped).toEqual([
      expect.stringContaining('posts/0.html: is not a story'),
      expect.stringContaining('posts/1.html: is not a story'),
      'posts/2.html: is in an archive that unpacks to more than 50 times its size',
      'posts/3.html: is in an archive that unpacks to more than 50 times its size',
    ]);
  });

  it('is rejected if two of its files are the same bytes', async () => {
    const path = await zipOf({ 'a.html': 'x', 'b.html': 'y' });
    const bytes = readFileSync(path);
    const second = bytes.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1'));
    bytes.writeUInt32LE(0, second + 42);
    writeFileSync(path, bytes);
    await expect(openArchive(path)).rejects.toThrow('two of its files are at the same place');
  });

  it('is rejected if it names a file outside of it', async () => {
    const path = await zipOf({ 'aa/passwd': 'x' });
    const bytes = readFileSync(path).toString('latin1').replaceAll('aa/passwd', '../passwd');
    writeFileSync(path, Buffer.from(bytes, 'latin1'));
    await expect(openArchive(path)).rejects.toThrow(ArchiveInvalid);
  });

  it('is rejected if it is truncated; a damaged page is named', async () => {
    const path = await zipOf({ 'posts/a.html': 'a'.repeat(1000) });
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.subarray(0, -30));
    await expect(openArchive(path)).rejects.toThrow(ArchiveInvalid);
    bytes[50] = (bytes[50] ?? 0) ^ 0xff;
    writeFileSync(path, bytes);
    const { files, close } = await openArchive(path);
    const [file] = files;
    if (file === undefined) throw new Error('no file');
    await expect(pageText(file)).rejects.toThrow('cannot be read');
    close();
  });

  it('that is missing is an error', async () => {
    await expect(openArchive(join(folderOf({}), 'no.zip'))).rejects.toThrow(ExportMissing);
  });

  it('is read without the files that macOS adds', async () => {
    const { files, close } = await openArchive(
      await zipOf({ '__MACOSX/posts/._a.html': '', 'posts/._a.html': '', 'posts/a.html': '' }),
    );
    expect(files.map(({ path }) => path)).toEqual(['posts/a.html']);
    close();
  });
});
