import { PostUnreadable } from '../../common/content/errors.ts';
import { reasonOf } from '../../common/thrown.ts';
import { NotAPost } from '../errors.ts';
import { type Hidden, HIDDEN_REASONS, type ReadItem, type ReadPost } from '../imported-item.ts';

/** Called with each part of a post that differs from its blog: `shortcode img-right`. */
export type ReportLoss = (what: string, detail?: string) => void;

/** How a post is named in the report. */
interface Named {
  /** As `source` in Skipped; default: the post's own. */
  readonly label?: string;
  /** Of the post, if its label does not say it. */
  readonly title?: string;
}

/**
 * The items of one post: itself and its losses, or why it is hidden or left out. Any error is a reason to leave the post
 * out: it must not stop the import of the others.
 *
 * @param read returns the post, or why its blog does not show it to everybody; it throws if it cannot be read
 */
export function* postItems(
  source: string,
  read: (lose: ReportLoss) => ReadPost | Hidden['reason'],
  { label = source, title = '' }: Named = {},
): Generator<ReadItem> {
  const losses = new Map<string, { what: string; detail?: string; count: number }>();
  const lose: ReportLoss = (what, detail) => {
    const key = `${what}\n${detail}`;
    const loss = losses.get(key) ?? { what, ...(detail === undefined ? {} : { detail }), count: 0 };
    loss.count += 1;
    losses.set(key, loss);
  };
  let post: ReadPost | Hidden['reason'];
  try {
    post = read(lose);
  } catch (error) {
    const reason = title === '' ? whyUnread(error) : `${whyUnread(error)} ("${title}")`;
    yield error instanceof NotAPost
      ? noPost(label, reason, { removed: source })
      : unread(label, reason, source);
    return;
  }
  if (typeof post === 'string') yield { kind: 'hidden', hidden: { source, reason: post } };
  else yield { kind: 'post', post };
  for (const { count, ...loss } of losses.values())
    yield { kind: 'loss', loss: { ...loss, source, ...(count === 1 ? {} : { count }) } };
}

/**
 * Why a post with this status is not public; null: its dates decide. An unknown status may mean anything, so it hides the
 * post, and is a loss.
 */
export function hiddenByStatus(status: string, lose: ReportLoss): Hidden['reason'] | null {
  if (status === 'published' || status === 'scheduled') return null;
  const known = HIDDEN_REASONS.find((reason) => reason === status);
  if (known === undefined) lose(`status "${status.slice(0, 100)}"`);
  return known ?? 'draft';
}

/** Why a post cannot be read. */
export function whyUnread(error: unknown): string {
  return error instanceof PostUnreadable ? error.message : `cannot be read (${reasonOf(error)})`;
}

/** The item for what cannot be read: the posts of `kept`, by default any, may be in it, and stay as they were. */
export function unread(source: string, reason: string, kept = '', count = 1): ReadItem {
  return { kind: 'skipped', skipped: skipped(source, reason, count), kept };
}

/** The item for something that its own blog does not show as a post. @param removed as in ImportedItem */
export function noPost(
  source: string,
  reason: string,
  { removed, count = 1 }: { readonly removed?: string; readonly count?: number } = {},
): ReadItem {
  return {
    kind: 'skipped',
    skipped: { ...skipped(source, reason, count), noPost: true },
    ...(removed === undefined ? {} : { removed }),
  };
}

/** With copies, since a substring keeps its whole text in memory. */
function skipped(source: string, reason: string, count: number) {
  const kept = (text: string): string => Buffer.from(text).toString();
  return { source: kept(source), reason: kept(reason), ...(count === 1 ? {} : { count }) };
}
