import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import { type Answer, BlogClient, type ClientOptions, jsonOf } from '../running/client.ts';
import { ApiMissing, BlogAnswerInvalid, CredentialsMissing, CredentialsRejected } from '../running/errors.ts';

/** A site, as Ghost's API describes it. */
export interface GhostSite {
  readonly title: string;
  readonly url: string;
  /** As `timezone` in an export; null if the API does not give it. */
  readonly timezone: string | null;
}

/** The Content API, which shows public posts, or the Admin API, which shows all. */
export interface GhostApi {
  readonly kind: 'content' | 'admin';
  /** @throws ApiMissing, CredentialsRejected, and the errors of `rows` */
  readonly site: () => Promise<GhostSite>;
  /**
   * One page of a resource.
   *
   * @param query in Ghost's terms: `limit`, `fields`, `filter`
   * @throws BlogAnswerInvalid, and the errors of BlogClient
   */
  readonly rows: (
    resource: string,
    query: Readonly<Record<string, string>>,
  ) => Promise<{ readonly rows: readonly unknown[]; readonly total: number | null; readonly url: URL }>;
  readonly close: () => Promise<void>;
}

const HOW_TO_GET_A_KEY =
  'In Ghost, open Settings, Integrations, add a custom integration, and give its Content or Admin API key ' +
  'with OFFPRINT_GHOST_KEY or --key.';

/** In seconds; Ghost recommends five minutes at most. */
const TOKEN_LASTS = 300;

const answered = v.object({
  meta: v.optional(v.object({ pagination: v.optional(v.object({ total: v.number() })) })),
});
const siteRow = v.object({
  title: v.fallback(v.string(), ''),
  url: v.pipe(v.string(), v.url()),
  timezone: v.fallback(v.nullable(v.string()), null),
});

/** @throws CredentialsMissing */
export function openGhostApi(address: URL, key: string | undefined, wait: ClientOptions['wait']): GhostApi {
  const kind = kindOf(key);
  const client = new BlogClient({
    headers: { 'accept-version': 'v5.0' },
    ...(kind === 'admin' ? { credentials: () => ({ authorization: `Ghost ${tokenOf(key ?? '')}` }) } : {}),
    wait,
  });
  const get = async (resource: string, query: Readonly<Record<string, string>>): Promise<Answer> => {
    const url = new URL(`ghost/api/${kind}/${resource}/`, address);
    url.search = new URLSearchParams({
      ...query,
      ...(kind === 'content' ? { key: key ?? '' } : {}),
    }).toString();
    const answer = await client.get(url, { isSecret: true });
    if (answer.status === 401 || answer.status === 403 || isTokenRejected(answer))
      throw new CredentialsRejected(url, 'the API key', HOW_TO_GET_A_KEY);
    if (answer.status === 404)
      throw new ApiMissing(
        address,
        'Ghost',
        'Give the API URL that Ghost shows next to the key (Ghost 5 or later).',
      );
    if (answer.status !== 200) throw new BlogAnswerInvalid(url, `status ${answer.status}`);
    return answer;
  };
  return {
    kind,
    site: async () => {
      const answer = await get(kind === 'content' ? 'settings' : 'site', {});
      const parsed = v.safeParse(
        v.union([v.object({ settings: siteRow }), v.object({ site: siteRow })]),
        jsonOf(answer),
      );
      if (!parsed.success) throw new BlogAnswerInvalid(answer.url, 'it does not describe a site of Ghost');
      return 'site' in parsed.output ? parsed.output.site : parsed.output.settings;
    },
    rows: async (resource, query) => {
      const answer = await get(resource, query);
      const parsed = v.safeParse(v.intersect([answered, v.record(v.string(), v.unknown())]), jsonOf(answer));
      const rows = parsed.success ? parsed.output[resource] : undefined;
      if (!parsed.success || !Array.isArray(rows))
        throw new BlogAnswerInvalid(answer.url, `it has no list of ${resource}`);
      const list: readonly unknown[] = rows;
      return { rows: list, total: parsed.output.meta?.pagination?.total ?? null, url: answer.url };
    },
    close: () => client.close(),
  };
}

/** A Content API key is 26 hexadecimal digits, an Admin API key the key's id and its secret. */
function kindOf(key: string | undefined): GhostApi['kind'] {
  if (key !== undefined && /^[\da-f]{24}:[\da-f]{64}$/i.test(key)) return 'admin';
  if (key !== undefined && /^[\da-f]{26}$/i.test(key)) return 'content';
  throw new CredentialsMissing(
    key === undefined ? "The key of Ghost's API" : "A valid key of Ghost's API",
    HOW_TO_GET_A_KEY,
  );
}

/** A JSON Web Token for the Admin API, signed, so that the secret is never sent. */
function tokenOf(key: string): string {
  const [id = '', secret = ''] = key.split(':');
  const now = Math.floor(Date.now() / 1000);
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg: 'HS256', typ: 'JWT', kid: id })}.${part({ iat: now, exp: now + TOKEN_LASTS, aud: '/admin/' })}`;
  return `${signed}.${createHmac('sha256', Buffer.from(secret, 'hex')).update(signed).digest('base64url')}`;
}

/** Ghost answers 400 to a malformed token, and to one from a wrong clock. */
function isTokenRejected({ status, text }: Answer): boolean {
  return status === 400 && text.includes('INVALID_JWT');
}
