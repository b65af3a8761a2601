/**
 * Compares the redundant fields of a zip file: in the directory at its end, and before and after each file. yauzl reads
 * only the directory, so other programs could extract other files from a damaged archive
 * (https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3).
 */
import { type FileHandle, open } from 'node:fs/promises';
import type { Entry, ZipFile } from 'yauzl';

const END_BYTES = 22;
/** Size of a directory entry without its variable fields. */
const RECORD_BYTES = 46;
const END_SIGNATURE = 0x06054b50;
const DESCRIPTOR_SIGNATURE = 0x08074b50;
/** Flag: checksum and sizes are in a descriptor after the content, and zero before it. */
const HAS_DESCRIPTOR = 8;
/** Marks a number over 32 bits; a Zip64 field, which yauzl has read, contains it. */
const IN_ZIP64 = 0xffffffff;
const COUNT_IN_ZIP64 = 0xffff;
const ZIP64_FIELD = 1;

/** The redundant fields of a zip file differ. */
class ZipInconsistent extends Error {
  override name = 'ZipInconsistent';
}

/**
 * Checks the structure of a whole zip file, but not its content.
 *
 * @param entries all entries of the directory
 * @throws Error
 */
export async function checkStructure(path: string, zip: ZipFile, entries: readonly Entry[]): Promise<void> {
  const file = await open(path);
  try {
    const directory = await checkEnd(file, entries);
    const inOrder = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader);
    let expected = 0;
    for (const entry of inOrder) {
      mustHold(entry.relativeOffsetOfLocalHeader === expected);
      expected = await checkEntry(file, zip, entry);
    }
    mustHold(directory === IN_ZIP64 || expected === directory);
  } finally {
    await file.close();
  }
}

/** @returns the offset of the directory */
async function checkEnd(file: FileHandle, entries: readonly Entry[]): Promise<number> {
  const { size } = await file.stat();
  const end = await bytesAt(file, size - END_BYTES, END_BYTES);
  const [directorySize, directory] = [end.readUInt32LE(12), end.readUInt32LE(16)];
  mustHold(end.readUInt32LE(0) === END_SIGNATURE && end.readUInt32LE(4) === 0);
  for (const count of [end.readUInt16LE(8), end.readUInt16LE(10)])
    mustHold(count === entries.length || count === COUNT_IN_ZIP64);
  mustHold(end.readUInt16LE(20) === 0);
  mustHold([directory, directorySize].includes(IN_ZIP64) || directory + directorySize + END_BYTES === size);
  const listed = entries.map(
    (entry) => entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength,
  );
  const length = listed.reduce((sum, more) => sum + RECORD_BYTES + more, 0);
  mustHold(directorySize === IN_ZIP64 || directorySize === length);
  return directory;
}

/** @returns the offset of the next entry or of the directory */
async function checkEntry(file: FileHandle, zip: ZipFile, entry: Entry): Promise<number> {
  const header = await zip.readLocalFileHeaderPromise(entry);
  const isZip64 = entry.extraFields.some(({ id }) => id === ZIP64_FIELD);
  mustHold(
    (isZip64 || header.versionNeededToExtract === entry.versionNeededToExtract) &&
      header.generalPurposeBitFlag === entry.generalPurposeBitFlag &&
      header.compressionMethod === entry.compressionMethod &&
      header.lastModFileTime === entry.lastModFileTime &&
      header.lastModFileDate === entry.lastModFileDate &&
      header.fileName.equals(entry.fileNameRaw),
  );
  const end = header.fileDataStart + entry.compressedSize;
  if ((entry.generalPurposeBitFlag & HAS_DESCRIPTOR) === 0) {
    mustHold(header.crc32 === entry.crc32);
    mustHold([IN_ZIP64, entry.compressedSize].includes(header.compressedSize));
    mustHold([IN_ZIP64, entry.uncompressedSize].includes(header.uncompressedSize));
    return end;
  }
  const sizeBytes = isZip64 ? 8 : 4;
  const descriptor = await bytesAt(file, end, 8 + 2 * sizeBytes);
  const sizeAt = (at: number): number =>
    sizeBytes === 8 ? Number(descriptor.readBigUInt64LE(at)) : descriptor.readUInt32LE(at);
  mustHold(descriptor.readUInt32LE(0) === DESCRIPTOR_SIGNATURE && descriptor.readUInt32LE(4) === entry.crc32);
  mustHold(sizeAt(8) === entry.compressedSize && sizeAt(8 + sizeBytes) === entry.uncompressedSize);
  return end + descriptor.length;
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  mustHold(bytesRead === length);
  return buffer;
}

/** @throws ZipInconsistent */
function mustHold(holds: boolean): void {
  if (!holds) throw new ZipInconsistent('It says one thing in two ways.');
}
