import { isRecord, parseJson } from '../../contract/json.ts';
import { read } from '../docs/documents.ts';

/** `deploy/wrangler.jsonc` as an object. Each comment in it has its own line. */
export function readWorkerConfig(): Readonly<Record<string, unknown>> {
  const json = read('deploy/wrangler.jsonc')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/,(?=\s*[}\]])/g, '');
  return parseJson(json, isRecord, 'a configuration of Wrangler');
}
