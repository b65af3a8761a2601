import { randomBytes } from 'node:crypto';
import { open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { withSlashes } from '../../common/slashes.ts';
import { EngineUnknown } from '../errors.ts';

/**
 * What our template or plug-in writes for each page: the mark, the facts as JSON in base64, the mark, the unchanged
 * body, and the mark. This survives whatever the engine does to a page later.
 */
export interface PageRecord {
  /** Relative to the output folder, with `/`. */
  readonly path: string;
  /** JSON, not yet checked. */
  readonly facts: unknown;
  readonly body: () => Promise<string>;
}

/** Where an engine wrote its records, and which are wanted. */
export interface Output {
  /** The folder with the records. */
  readonly output: string;
  readonly mark: string;
  /** The site's folder. */
  readonly root: string;
  /** Only this language. */
  readonly language?: string | undefined;
}

/** A word that no page contains. */
export function newMark(): string {
  return `offprint${randomBytes(12).toString('hex')}`;
}

/** A record begins with its mark, after white space from templates. */
const HEAD_BYTES = 1024;

/** The records below a folder, sorted by path, with any extension. Files without the mark are ignored. */
export async function* recordsBelow(folder: string, mark: string): AsyncGenerator<PageRecord> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const path of paths) {
    const parts = await partsOf(path, mark);
    if (parts === null) continue;
    const facts: unknown = JSON.parse(Buffer.from(parts.facts, 'base64').toString());
    yield {
      path: withSlashes(path.slice(folder.length + 1)),
      facts,
      body: async () => (await partsOf(path, mark))?.body ?? '',
    };
  }
}

/** @throws EngineUnknown if the facts do not match the schema */
export function parseFacts<Schema extends v.GenericSchema>(
  schema: Schema,
  { facts }: PageRecord,
  engine: string,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, facts);
  if (!parsed.success) throw new EngineUnknown(engine, 'wrote a page in a form that is not known');
  return parsed.output;
}

async function partsOf(path: string, mark: string): Promise<{ facts: string; body: string } | null> {
  if (!(await headOf(path)).trimStart().startsWith(mark)) return null; // It may be a large image.
  const text = await readFile(path, 'utf8');
  const [before, facts, body, after] = text.split(mark);
  if (before?.trim() !== '' || facts === undefined || body === undefined || after === undefined) return null;
  return { facts, body: body.trim() };
}

async function headOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
