import { isList, isRecord } from '../../../contract/json.ts';

/** What an editor keeps of a card or a node: parsed JSON of which nothing is sure. */
export type Payload = Readonly<Record<string, unknown>>;

export function payloadOf(value: unknown): Payload {
  return isRecord(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return isList(value) ? value : [];
}

/** The first of the fields that holds text, or a number as text; else an empty string. */
export function textOf(payload: Payload, ...fields: readonly string[]): string {
  for (const field of fields) {
    const value = payload[field];
    if (typeof value === 'string' && value.trim() !== '') return value;
    if (typeof value === 'number') return String(value);
  }
  return '';
}

/** A text as it is, a number as text; else an empty string. */
export function plainText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
