import { isList, isRecord } from '../../contract/json.ts';

/** The data of a card or a node: parsed JSON, not checked. */
export type Payload = Readonly<Record<string, unknown>>;

export function payloadOf(value: unknown): Payload {
  return isRecord(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return isList(value) ? value : [];
}

/** The first field that is text, or a number as text; otherwise an empty string. */
export function textOf(payload: Payload, ...fields: readonly string[]): string {
  for (const field of fields) {
    const value = payload[field];
    if (typeof value === 'string' && value.trim() !== '') return value;
    if (typeof value === 'number') return String(value);
  }
  return '';
}

/** Text unchanged, a number as text; otherwise an empty string. */
export function plainText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
