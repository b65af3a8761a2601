/** What a feed says of itself. */
export interface Feed {
  /** As people call it: `Atom`. */
  readonly format: 'JSON Feed' | 'Atom' | 'RSS';
  readonly title: string;
  /** The address of the site; null where it is not named. */
  readonly home: string | null;
  /** What tells it from other feeds: its own address, or its id. */
  readonly self: string | null;
  /** `en-US`; null where it is not named. */
  readonly language: string | null;
  readonly author: FeedAuthor | null;
  /** The program that wrote it. */
  readonly generator: string;
}

export interface FeedAuthor {
  readonly name: string;
  readonly avatar: string | null;
}

/** One entry of a feed of any format, as it is written there. Texts that are missing are empty. */
export interface FeedEntry {
  readonly id: string;
  /** Its page: absolute where that can be said. */
  readonly url: string;
  /** Plain text. */
  readonly title: string;
  /** All of its text, in HTML. */
  readonly content: string;
  /** In HTML, as far as the format allows it. */
  readonly summary: string;
  /** What addresses in its text are relative to, where that is not its own page. */
  readonly base: string | null;
  readonly cover: string | null;
  readonly published: string;
  readonly updated: string;
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  /** Null: that of the feed. */
  readonly author: FeedAuthor | null;
  readonly language: string | null;
  readonly isDraft: boolean;
  /** Why it is no post; null when it is one. */
  readonly noPost: string | null;
  readonly attachments: readonly Attachment[];
  /** What it has several of, though only the first is read. */
  readonly lost: readonly string[];
}

/** A file that comes with an entry, such as an episode of a podcast. */
export interface Attachment {
  readonly url: string;
  readonly type: string;
}

/** What is read of a feed, in its order. */
export type FeedItem =
  /** The first one, always. */
  | { readonly kind: 'feed'; readonly feed: Feed }
  | { readonly kind: 'entry'; readonly entry: FeedEntry }
  /** What is no entry that can be read, and why; null: its place in the feed tells nobody which post it is. */
  | { readonly kind: 'fault'; readonly label: string; readonly reason: string }
  /** An entry that was deleted, by its id. */
  | { readonly kind: 'deleted'; readonly id: string }
  /** Where more entries are. */
  | { readonly kind: 'next'; readonly url: string };
