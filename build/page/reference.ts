import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The path of the API reference, one script of about 3.6 MB. The package has a copy (release/package.ts). */
export function referenceFile(): string {
  const { resolve } = createRequire(import.meta.url);
  return join(resolve('@scalar/fastify-api-reference'), '../js/standalone.js');
}
