import { changingKeys } from '../../../data/accounts/change-keys.ts';
import { SCOPES } from '../../../contract/api.ts';
import { createKey } from '../../../data/accounts/keys.ts';
import { openForReading } from '../../../data/database.ts';
import type { ServedBlog } from '../served-blog.ts';

/** A client that uses one connection at a time. Its answers differ from those of others. */
export interface Caller {
  readonly number: number;
  readonly plan: 'address' | 'user' | 'admin';
  /** The header that identifies it. */
  readonly header: string;
  /** Null: without a key. */
  readonly prefix: string | null;
  readonly limit: number;
  /** Articles that no other caller requests. */
  readonly slugs: readonly string[];
}

/** Each plan has a limit of its own, which none reaches. */
export const FUZZ_LIMITS = {
  day: { address: 900_000_001, user: 900_000_002, admin: 900_000_003 },
  minute: 900_000_000,
} as const;

const PLANS = ['user', 'admin', 'address'] as const;

/** Creates callers with keys of separate accounts, and divides the blog's articles among them. */
export function makeCallers({ db, out }: Pick<ServedBlog, 'db' | 'out'>, count: number): Caller[] {
  const blog = openForReading(db);
  const slugs = blog
    .prepare<[], string>("SELECT slug FROM posts WHERE status = 'published' ORDER BY slug")
    .pluck()
    .all();
  blog.close();
  return changingKeys(db, out, (accounts) =>
    Array.from({ length: count }, (_, number): Caller => {
      const plan = PLANS[number % PLANS.length] ?? 'user';
      const own = slugs.filter((_, i) => i % count === number);
      const common = { number, plan, limit: FUZZ_LIMITS.day[plan], slugs: own };
      if (plan === 'address')
        return { ...common, header: `X-Forwarded-For: 198.51.100.${number}`, prefix: null };
      const account = `caller-${number}`;
      const { key, prefix } = createKey(accounts, { account, name: `of ${account}`, scopes: SCOPES, plan });
      return { ...common, header: `X-Api-Key: ${key}`, prefix };
    }),
  );
}
