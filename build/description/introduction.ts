import { PREFIX } from '../../contract/api.ts';
import { dayLimit, type Limits, minuteLimit, NO_LIMIT } from '../../contract/policy.ts';

/** The introduction of the description, in Markdown: what applies to every request. */
export function introduction(limits: Limits): string {
  return `All paths begin with \`${PREFIX}\`. Every request is a \`GET\` (or \`HEAD\`); every answer is JSON:
\`{"success":true,"data":…}\`, or \`{"success":false,"message":"…"}\`. Fields are always there; one without a
value is \`null\`. Unknown parameters are ignored; a known one that is given twice is refused with 400. A slash at the end
of a path is ignored.

**Keys.** You can try every endpoint without a key. Send a key in the header \`Authorization: Bearer <API_KEY>\`
or \`X-Api-Key: <API_KEY>\`, never into the URL.

**Limits.** For an address without a key ${limitsOf(limits, 'address')}; for an account ${limitsOf(limits, 'user')};
for an administrator's ${limitsOf(limits, 'admin')}. Days are in UTC. The headers of every answer
show what is left. Above a limit the answer is 429, with \`Retry-After\` in seconds; it is not counted.

**Caching.** Send an answer's \`ETag\` back as \`If-None-Match\`, and you get 304 while nothing has changed; as
\`If-Match\`, and you get 412 once something has.

**CORS.** Web pages of any origin can call the API; \`OPTIONS\` answers the preflight
with 204 and is not counted.

Examples are answers of this service as if the blog had only its oldest articles, three at most. Callers and dates are made up.
Lists longer than three are cut, and texts longer than 400 characters end with \`…\`.`;
}

function limitsOf(limits: Limits, plan: string): string {
  const [day, minute] = [dayLimit(limits, plan), minuteLimit(limits, plan)];
  const texts = [
    ...(day === NO_LIMIT ? [] : [`${day} requests a day`]),
    ...(minute === NO_LIMIT ? [] : [`${minute} requests in any 60 seconds`]),
  ];
  return texts.join(' and ') || 'no limit';
}
