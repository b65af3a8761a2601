import { PREFIX } from '../../contract/api.ts';
import type { Limits } from '../../contract/policy.ts';

/** What holds for every request, in Markdown: the description's own first paragraphs. */
export function introduction({ day, minute }: Limits): string {
  return `All paths begin with \`${PREFIX}\`. Every request is a \`GET\` (or \`HEAD\`), every answer is JSON:
\`{"success":true,"data":…}\`, or \`{"success":false,"message":"…"}\`. Fields are always there; what has no value
is \`null\`. Parameters that are not listed are ignored; a listed one that is given twice is refused with 400. A slash at the end of a
path changes nothing.

**Keys.** Every endpoint can be tried without a key. A key goes into the header \`Authorization: Bearer <API_KEY>\`
or \`X-Api-Key: <API_KEY>\`, never into the URL.

**Limits.** ${day.address} requests a day (UTC) for an address without a key, ${day.user} for an account,
${day.admin} for an administrator's, and ${minute} in any 60 seconds for anyone. Every answer says in its headers
what is left. Past a limit the answer is 429, with \`Retry-After\` in seconds; it is not counted.

**Caching.** An \`ETag\` names a content. Sent back as \`If-None-Match\`, it gives 304 while nothing has changed;
as \`If-Match\`, it gives 412 once something has.

**Other origins.** The interface can be called from a Web page of any origin; \`OPTIONS\` answers the preflight
with 204 and is not counted.

Examples are answers of this service, to imagined callers on a day in January, as if the blog had three of its
oldest articles alone; view counts are made up. Lists longer than three and texts longer than 400 characters are cut short,
with \`…\` at the end of a text.`;
}
