import { DomUtils, parseDocument } from 'htmlparser2';

/** A file in a listing. */
interface ListedFile {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** Quoted, as in the header. */
  readonly etag: string;
  readonly modified: Date;
}

/** One answer of ListObjectsV2. */
interface ListedPage {
  readonly files: readonly ListedFile[];
  /** The token for the next page; undefined: this is the last. */
  readonly next: string | undefined;
}

/** The text of the first element with a name; undefined: there is none. */
export function readField(xml: string, name: string): string | undefined {
  return textIn([parseDocument(xml, XML)], name);
}

/** Parses an answer of ListObjectsV2. */
export function readListing(xml: string): ListedPage {
  const listing = parseDocument(xml, XML);
  const files = DomUtils.getElementsByTagName('Contents', listing).map(({ children }) => ({
    key: textIn(children, 'Key') ?? '',
    size: Number(textIn(children, 'Size')),
    etag: textIn(children, 'ETag') ?? '',
    modified: new Date(textIn(children, 'LastModified') ?? ''),
  }));
  const isLast = textIn([listing], 'IsTruncated') !== 'true';
  return { files, next: isLast ? undefined : textIn([listing], 'NextContinuationToken') };
}

const XML = { xmlMode: true };

function textIn(
  nodes: Parameters<typeof DomUtils.getElementsByTagName>[1],
  name: string,
): string | undefined {
  const [element] = DomUtils.getElementsByTagName(name, nodes, true, 1);
  return element && DomUtils.textContent(element);
}

/** The body of DeleteObjects. Keys contain no characters that XML must escape (target.ts, object names). */
export function writeDeletion(keys: readonly string[]): string {
  const objects = keys.map((key) => `<Object><Key>${key}</Key></Object>`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?><Delete><Quiet>true</Quiet>${objects}</Delete>`;
}
