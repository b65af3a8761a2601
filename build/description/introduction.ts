import { PREFIX } from '../../contract/api.ts';
import { dayLimit, type Limits, minuteLimit, NO_LIMIT } from '../../contract/policy.ts';

/** The introduction of the description, in Markdown: what applies to every request. */
export function introduction(limits: Limits): string {
  return `All paths begin with \`${PREFIX}\`. Every request is a \`GET\` (or \`HEAD\`); every answer is JSON:
\`{"success":true,"data":…}\`, or \`{"success":false,"message":"…"}\`. All fields are always present; a field without a
value is \`null\`. Unknown parameters are ignored; a known parameter sent twice is refused with 400. A trailing slash in
a path is ignored.

**Keys.** You can try every endpoint without a key. Send a key in the header \`Authorization: Bearer <API_KEY>\`
or \`X-Api-Key: <API_KEY>\`, never in the URL.

**Limits.** For an address without a key ${describeLimits(limits, 'address')}; for an account ${describeLimits(limits, 'user')};
for an administrator's account ${describeLimits(limits, 'admin')}. Days are in UTC. The headers of every answer
show what is left. Above a limit the answer is 429, with \`Retry-After\` in seconds; it is not counted.

**Caching.** Send an answer's \`ETag\` back as \`If-None-Match\` to get 304 while nothing has changed, or as
\`If-Match\` to get 412 once something has.

**CORS.** Web pages of any origin can call the API; \`OPTIONS\` answers the preflight
with 204 and is not counted.

Examples are answers of this service as if the blog had at most three articles. Callers and dates are invented.
Lists end after three items, and long texts after 400 characters with \`…\`.`;
}

function describeLimits(limits: Limits, plan: string): string {
  const [day, minute] = [dayLimit(limits, plan), minuteLimit(limits, plan)];
  const texts = [
    ...(day === NO_LIMIT ? [] : [`${day} requests per day`]),
    ...(minute === NO_LIMIT ? [] : [`${minute} requests in any 60 seconds`]),
  ];
  return texts.join(' and ') || 'no limit';
}
