import { createHash } from 'node:crypto';
import { FORMAT } from '../contract/snapshot.ts';
import type { HtmlAdditions } from './html/policy.ts';
import { documentationProgram, engineProgram } from './program.ts';
import type { Site } from './site.ts';

/**
 * A hash of all that objects depend on, except the database's rows: this program's own text, the sanitiser's
 * version, that of ICU, by which texts are cut into words, the site's addresses, and what the owner adds to the HTML
 * policy. When it differs from the last build's, nothing remembered is used.
 */
export function engineFingerprint(site: Site, html: HtmlAdditions): string {
  const { icu } = process.versions;
  const all = JSON.stringify({ format: FORMAT, program: engineProgram(), icu, site, html });
  return createHash('sha256').update(all).digest('base64url');
}

/**
 * A hash of the program files that the documentation depends on (documentation.ts): what makes the other objects, the
 * gateway's core, which is asked for the examples, and the version of the API reference.
 *
 * @param engine engineFingerprint
 */
export function documentationFingerprint(engine: string): string {
  return createHash('sha256').update(engine).update(documentationProgram()).digest('base64url');
}
