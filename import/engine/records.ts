import { randomBytes } from 'node:crypto';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { withSlashes } from '../../common/slashes.ts';
import { EngineUnknown } from '../errors.ts';

/**
 * What our template or plug-in writes for each page: the mark, the facts as JSON in base64, the mark, the unchanged
 * body, and the mark. Later processing by the engine does not affect this.
 */
export interface PageRecord<Facts> {
  /** Relative to the output folder, with `/`. */
  readonly path: string;
  readonly facts: Facts;
  readonly body: string;
}

/** Where an engine wrote its records. */
export interface Output {
  readonly folder: string;
  readonly mark: string;
}

/** A word that no page contains. */
export function newMark(): string {
  return `offprint${randomBytes(12).toString('hex')}`;
}

/** A record begins with its mark, after white space from templates. */
const HEAD_BYTES = 1024;

/**
 * The records below a folder, sorted by path, with any extension. Files without the mark are ignored.
 *
 * @param engine for messages: `Hugo`
 * @throws EngineUnknown if the facts do not match the schema
 */
export async function* recordsBelow<Schema extends v.GenericSchema>(
  { folder, mark }: Output,
  schema: Schema,
  engine: string,
): AsyncGenerator<PageRecord<v.InferOutput<Schema>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const path of paths) {
    const text = await recordIn(path, mark);
    const [before, facts, body, after] = text?.split(mark) ?? [];
    if (before?.trim() !== '' || facts === undefined || body === undefined || after === undefined) continue;
    const json: unknown = JSON.parse(Buffer.from(facts, 'base64').toString());
    const parsed = v.safeParse(schema, json);
    if (!parsed.success) throw new EngineUnknown(engine, 'wrote a page in an unknown form');
    yield { path: withSlashes(path.slice(folder.length + 1)), facts: parsed.output, body: body.trim() };
  }
}

/** Null if the file does not begin with the mark: it may be a large image. */
async function recordIn(path: string, mark: string): Promise<string | null> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    if (!buffer.toString('utf8', 0, bytesRead).trimStart().startsWith(mark)) return null;
    return await file.readFile('utf8'); // From its beginning: a read at a position does not move it.
  } finally {
    await file.close();
  }
}
