/** What a feed says about itself. */
export interface Feed {
  /** For messages: `Atom`. */
  readonly format: 'JSON Feed' | 'Atom' | 'RSS';
  readonly title: string;
  /** The address of the site; null if not given. */
  readonly home: string | null;
  /** Identifies the feed: its own address, or its id, which exports and feeds of a blog at Blogger share. */
  readonly self: string | null;
  /** `en-US`; null if not given. */
  readonly language: string | null;
  readonly authors: readonly FeedAuthor[];
  /** The program that wrote it. */
  readonly generator: string;
  /** It is an export, with all posts of the blog. */
  readonly isComplete: boolean;
}

export interface FeedAuthor {
  readonly name: string;
  readonly avatar: string | null;
}

/** Authors of whom a feed only has the names. */
export function authorsNamed(names: readonly string[]): FeedAuthor[] {
  return names.filter((name) => name !== '').map((name) => ({ name, avatar: null }));
}

/** One entry of a feed of any format, as written. Missing texts are empty. */
export interface FeedEntry {
  readonly id: string;
  /** Its page: absolute if possible. */
  readonly url: string;
  /** Plain text. */
  readonly title: string;
  /** The full text, as HTML. */
  readonly content: string;
  /** As HTML, if the format allows it. */
  readonly summary: string;
  /** For search engines. */
  readonly metaDescription?: string;
  /** What addresses in its text are relative to, if not its own page. */
  readonly base: string | null;
  readonly cover: string | null;
  readonly published: string;
  readonly updated: string;
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  /** Empty: the authors of the feed. */
  readonly authors: readonly FeedAuthor[];
  readonly language: string | null;
  /** Why its blog does not show it to everybody; null: it does. */
  readonly hidden: 'draft' | 'trashed' | null;
  /** Why it is not a post; null: it is one. */
  readonly noPost: string | null;
  readonly attachments: readonly Enclosure[];
  /** What of the entry is not read, and why or which. */
  readonly lost: readonly (readonly [what: string, detail: string])[];
}

/** A file attached to an entry, such as a podcast episode. */
export interface Enclosure {
  readonly url: string;
  readonly type: string;
}

/** The content of a feed, in its order. */
export type FeedItem =
  /** Always first. */
  | { readonly kind: 'feed'; readonly feed: Feed }
  | { readonly kind: 'entry'; readonly entry: FeedEntry }
  /** An entry that cannot be read, and why; null: its position does not identify a post. */
  | { readonly kind: 'fault'; readonly label: string; readonly reason: string }
  /** The address of the next page. */
  | { readonly kind: 'next'; readonly url: string };
