import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openArchive } from '../../../import/sources/archive.ts';
import { ArchiveInvalid, ExportMissing } from '../../../import/errors.ts';
import { folderOf } from '../folder.ts';
import { zipOf } from './archive.ts';

describe('a zip file', () => {
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

  it('is rejected if it is truncated', async () => {
    const path = await zipOf({ 'posts/a.html': 'a'.repeat(1000) });
    writeFileSync(path, readFileSync(path).subarray(0, -30));
    await expect(openArchive(path)).rejects.toThrow(ArchiveInvalid);
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
