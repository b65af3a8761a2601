/** The blog's public site: where its pages are. From the database, or from `offprint.json` where that says so. */
export interface Site {
  readonly name: string;
  /** Scheme and host, without a slash at the end. */
  readonly url: string;
  /** Paths on the site, with `{slug}` in them. */
  readonly paths: { readonly post: string; readonly category: string; readonly tag: string };
}

/** What the configuration may set of it. */
export interface SiteOverrides {
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly paths?: { readonly [Kind in keyof Site['paths']]?: string | undefined } | undefined;
}

export function overrideSite(site: Site, { name, url, paths }: SiteOverrides): Site {
  return {
    name: name ?? site.name,
    url: (url ?? site.url).replace(/\/+$/, ''),
    paths: {
      post: paths?.post ?? site.paths.post,
      category: paths?.category ?? site.paths.category,
      tag: paths?.tag ?? site.paths.tag,
    },
  };
}

/** The address of a post, category or tag on the public site. */
export function addressOf(site: Site, kind: keyof Site['paths'], slug: string): string {
  return site.url + site.paths[kind].replace('{slug}', () => encodeURIComponent(slug));
}

/** A web address, taken from the site's where it is a path. Null where there is none, or it is not of the web. */
export function webAddress(site: Site, address: string | null): string | null {
  if (address === null || address.trim() === '') return null;
  const url = URL.parse(address.trim(), `${site.url}/`);
  return url && /^https?:$/.test(url.protocol) ? url.href : null;
}
