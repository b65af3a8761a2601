import * as v from 'valibot';
import { type Answer, BlogClient, type ClientOptions, isSameHost, jsonOf } from '../running/client.ts';
import { ApiMissing, BlogAnswerInvalid, BlogRedirects, CredentialsRejected } from '../running/errors.ts';

/** WordPress's data about the site. */
export interface WordPressSite {
  /** HTML. */
  readonly name: string;
  /** The public address. */
  readonly home: string;
}

/** WordPress's REST API. */
export interface RestApi {
  readonly site: WordPressSite;
  /** Whether it shows more than the public posts. */
  readonly isSignedIn: boolean;
  /**
   * One page of a route of `wp/v2`: `posts`.
   *
   * @returns rows, and their number on all pages; null if the route is closed to this caller
   * @throws BlogAnswerInvalid, and the errors of BlogClient
   */
  readonly rows: (route: string, query: Readonly<Record<string, string>>) => Promise<Rows | null>;
  /** The same for a visitor who is not signed in. */
  readonly publicRows: RestApi['rows'];
  readonly close: () => Promise<void>;
}

export interface Rows {
  readonly rows: readonly unknown[];
  readonly total: number;
  readonly pages: number;
  readonly url: URL;
}

export interface SignIn {
  readonly user: string;
  readonly password: string;
}

const root = v.object({
  name: v.fallback(v.string(), ''),
  url: v.fallback(v.string(), ''),
  home: v.fallback(v.string(), ''),
  namespaces: v.array(v.string()),
});

const HOW_TO_SIGN_IN =
  'In WordPress, open Users, Profile, Application Passwords, and give the user with --user and the ' +
  'application password with OFFPRINT_WORDPRESS_PASSWORD.';

/**
 * Finds the API of a blog, and signs in with credentials if given.
 *
 * @throws ApiMissing, CredentialsRejected, and the errors of BlogClient
 */
export async function openRestApi(
  address: URL,
  signIn: SignIn | null,
  wait: ClientOptions['wait'],
): Promise<RestApi> {
  const anyone = new BlogClient({ wait });
  const credentials =
    signIn === null
      ? undefined
      : { authorization: `Basic ${Buffer.from(`${signIn.user}:${signIn.password}`).toString('base64')}` };
  const client = new BlogClient({ wait, ...(credentials ? { credentials: () => credentials } : {}) });
  const close = async (): Promise<void> => {
    await anyone.close();
    await client.close();
  };
  try {
    const { base, site } = await findApi(anyone, address);
    if (signIn !== null) await checkSignIn(client, base);
    const rowsFor =
      (caller: BlogClient): RestApi['rows'] =>
      async (route, query) => {
        const answer = await caller.get(routeUrl(base, route, query));
        if (answer.status === 401 || answer.status === 403 || answer.status === 404) return null;
        return rowsOf(answer);
      };
    return {
      ...{ site, isSignedIn: signIn !== null, close },
      ...{ rows: rowsFor(client), publicRows: rowsFor(anyone) },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** WordPress names its API in a header of each page; if that is removed, the default path is tried. */
async function findApi(client: BlogClient, address: URL): Promise<{ base: URL; site: WordPressSite }> {
  const home = await client.get(address);
  const named = /<([^<>]+)>\s*;\s*rel="https:\/\/api\.w\.org\/"/.exec(home.header('link') ?? '')?.[1];
  const candidates = [named, 'wp-json/', '?rest_route=/'].flatMap((path) =>
    path === undefined ? [] : (URL.parse(path, home.url.href) ?? []),
  );
  for (const candidate of candidates) {
    if (!isSameHost(home.url, candidate))
      throw new BlogRedirects(address, candidate.origin + candidate.pathname);
    const answer = await client.get(candidate);
    const site = answer.status === 200 ? siteFrom(answer) : null;
    if (site !== null) return { base: answer.url, site };
  }
  throw new ApiMissing(
    address,
    'WordPress',
    'A plug-in may have closed it: allow the REST API (/wp-json/), or import an export (Tools, Export).',
  );
}

function siteFrom(answer: Answer): WordPressSite | null {
  try {
    const parsed = v.safeParse(root, jsonOf(answer));
    if (!parsed.success || !parsed.output.namespaces.includes('wp/v2')) return null;
    const { name, home, url } = parsed.output;
    return { name, home: [home, url].find((text) => /^https?:\/\/./.test(text)) ?? answer.url.origin };
  } catch (error) {
    if (error instanceof BlogAnswerInvalid) return null;
    throw error;
  }
}

async function checkSignIn(client: BlogClient, base: URL): Promise<void> {
  const url = routeUrl(base, 'users/me', { context: 'edit', _fields: 'id' });
  const { status } = await client.get(url);
  if (status !== 200)
    throw new CredentialsRejected(url, 'the user or the application password', HOW_TO_SIGN_IN);
}

/** On a site without permalinks, routes are in the query. */
function routeUrl(base: URL, route: string, query: Readonly<Record<string, string>>): URL {
  const isInQuery = base.searchParams.has('rest_route');
  const url = isInQuery
    ? new URL(base)
    : new URL(`wp/v2/${route}`, `${base.origin}${base.pathname.replace(/\/*$/, '/')}`);
  const where = isInQuery ? { rest_route: `/wp/v2/${route}` } : {};
  url.search = new URLSearchParams({ ...where, ...query }).toString();
  return url;
}

function rowsOf(answer: Answer): Rows {
  const { url, status } = answer;
  if (status !== 200) throw new BlogAnswerInvalid(url, `status ${status}`);
  const rows = jsonOf(answer);
  if (!Array.isArray(rows)) throw new BlogAnswerInvalid(url, 'it is not a list');
  const count = (header: string): number => {
    const written = answer.header(header) ?? '';
    if (!/^\d{1,9}$/.test(written)) throw new BlogAnswerInvalid(url, `its header ${header} is missing`);
    return Number(written);
  };
  const list: readonly unknown[] = rows;
  return { rows: list, total: count('x-wp-total'), pages: count('x-wp-totalpages'), url };
}
