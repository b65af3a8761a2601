import { type PathKind, type PostInPath, postPath, termPath } from '../../common/site-paths.ts';

/** The blog's public site and the addresses of its pages, from the database; `offprint.json` overrides it. */
export interface Site {
  readonly name: string;
  /** Scheme and host, without a slash at the end. */
  readonly url: string;
  /** Patterns of paths on the site (common/site-paths.ts). */
  readonly paths: Readonly<Record<PathKind, string>>;
  /** Whether a post without a description gets one from its text. */
  readonly excerpts: boolean;
}

/** The settings of `offprint.json` that override the database. */
export interface SiteOverrides {
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly paths?: { readonly [Kind in PathKind]?: string | undefined } | undefined;
  readonly excerpts?: boolean | undefined;
}

export function overrideSite(site: Site, { name, url, paths, excerpts }: SiteOverrides): Site {
  return {
    name: name ?? site.name,
    url: (url ?? site.url).replace(/\/+$/, ''),
    paths: {
      post: paths?.post ?? site.paths.post,
      category: paths?.category ?? site.paths.category,
      tag: paths?.tag ?? site.paths.tag,
    },
    excerpts: excerpts ?? site.excerpts,
  };
}

/** The address of a post on the public site: its own, or one from the pattern. */
export function postAddress(site: Site, post: PostInPath & { readonly url: string | null }): string {
  return webAddress(site, post.url) ?? site.url + postPath(site.paths.post, post);
}

/** The address of a category or tag on the public site. */
export function termAddress(site: Site, kind: 'category' | 'tag', slug: string): string {
  return site.url + termPath(site.paths[kind], slug);
}

/** An absolute web address; paths are relative to the site. Null: none, or not http or https. */
export function webAddress(site: Site, address: string | null): string | null {
  if (address === null || address.trim() === '') return null;
  const url = URL.parse(address.trim(), `${site.url}/`);
  return url && /^https?:$/.test(url.protocol) ? url.href : null;
}
