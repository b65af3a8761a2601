import { createHash } from 'node:crypto';
import { FORMAT } from '../../contract/snapshot.ts';
import type { HtmlAdditions } from '../html/policy.ts';
import { documentationProgram, engineProgram } from './program.ts';
import type { Site } from '../snapshot/site.ts';

/**
 * A hash of everything that objects depend on, except the database's rows: the program's source files, the versions
 * of the sanitiser and ICU (for word boundaries), the site, and the owner's additions to the HTML policy. If it differs
 * from the last build's, the build memory is not used.
 */
export function engineFingerprint(site: Site, html: HtmlAdditions): string {
  const { icu } = process.versions;
  const all = JSON.stringify({ format: FORMAT, program: engineProgram(), icu, site, html });
  return createHash('sha256').update(all).digest('base64url');
}

/**
 * A hash of everything that the documentation depends on (documentation.ts): the engine, the gateway's core, which
 * answers the examples, and the version of the API reference.
 *
 * @param engine engineFingerprint
 */
export function documentationFingerprint(engine: string): string {
  return createHash('sha256').update(engine).update(documentationProgram()).digest('base64url');
}
