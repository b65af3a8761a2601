import { Parser } from 'htmlparser2';

/** A file in a listing. */
export interface ListedFile {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** Quoted, as in the header. */
  readonly etag: string;
  readonly modified: Date;
}

/** One answer of ListObjectsV2. */
export interface ListedPage {
  readonly files: readonly ListedFile[];
  /** The token for the next page; undefined: this is the last. */
  readonly next: string | undefined;
}

/** The texts of the root's child elements; if a name repeats, the last one. */
export function readFields(xml: string): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {};
  readElements(xml, (path, text) => {
    if (path.length === 2) fields[path[1] ?? ''] = text;
  });
  return fields;
}

/** Parses an answer of ListObjectsV2. */
export function readListing(xml: string): ListedPage {
  const files: ListedFile[] = [];
  let file: Record<string, string> = {};
  readElements(xml, (path, text) => {
    if (path[1] !== 'Contents') return;
    if (path.length === 3) file[path[2] ?? ''] = text;
    if (path.length > 2) return;
    const { Key: key = '', Size: size, ETag: etag = '', LastModified: modified = '' } = file;
    files.push({ key, size: Number(size), etag, modified: new Date(modified) });
    file = {};
  });
  const { IsTruncated: truncated, NextContinuationToken: token } = readFields(xml);
  return { files, next: truncated === 'true' ? token : undefined };
}

/** The body of DeleteObjects. Keys contain no characters that XML must escape (target.ts, object names). */
export function writeDeletion(keys: readonly string[]): string {
  const objects = keys.map((key) => `<Object><Key>${key}</Key></Object>`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?><Delete><Quiet>true</Quiet>${objects}</Delete>`;
}

/** Calls back at the end of each element, with the names from the root to it and its own text. */
function readElements(xml: string, onEnd: (path: readonly string[], text: string) => void): void {
  const open: { readonly name: string; text: string }[] = [];
  const parser = new Parser(
    {
      onopentag: (name) => void open.push({ name, text: '' }),
      ontext(text) {
        const current = open.at(-1);
        if (current) current.text += text;
      },
      onclosetag() {
        const text = open.at(-1)?.text ?? '';
        onEnd(
          open.map(({ name }) => name),
          text,
        );
        open.pop();
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
}
