/** Prevents builds, and commands that change keys, from writing to the output of another blog. */
import { existsSync } from 'node:fs';
import type { Pointer } from '../../contract/pointer.ts';
import { checkKeys } from '../../data/accounts/change-keys.ts';
import { blogUid, readingFrom } from '../../data/database.ts';
import { DatabaseError, isUnusableNow } from '../../data/errors.ts';
import { readWithdrawnSlugs } from '../../data/withdrawals.ts';
import type { BuildOptions } from '../build.ts';
import { DatabaseLost, DatabaseOther, type Target, WithdrawalsLost } from '../errors.ts';
import { guardBlog } from './guards.ts';
import { blogIds } from './identity.ts';
import { readLastBuild } from './last-build.ts';
import { readPointer } from './pointer-file.ts';
import { Source } from '../snapshot/source.ts';

/** The ids of the blog; the first one is published. */
export function readBlogIds({ blog, site }: Pick<BuildOptions, 'blog' | 'site'>, source: Source): string[] {
  return blogIds({ configured: blog, site, ...source.readIdentity() });
}

/**
 * Refuses an output that serves another blog, before anything is written. If the database cannot be read, it does
 * nothing: the build will report that.
 *
 * @throws OtherBlog
 */
export function checkOutput(options: BuildOptions): void {
  const current = readPointer(options.out);
  if (!current || options.force) return;
  let source: Source | undefined;
  try {
    source = new Source(options.db);
    guardSource(options, current, readBlogIds(options, source), source);
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
  } finally {
    source?.close();
  }
}

/**
 * Refuses to write the keys of one blog to the output of another. If the database cannot be read now, it does nothing:
 * the change will report that, after it has revoked what it can.
 *
 * @param db the blog's database
 * @throws OtherBlog, DatabaseError
 */
export function checkKeysOutput(
  { db, out }: { readonly db: string; readonly out: string },
  setting: Pick<BuildOptions, 'blog' | 'site'>,
): void {
  const current = readPointer(out);
  if (!current) return;
  let source: Source | undefined;
  try {
    source = new Source(db);
    guardBlog({ name: out, command: 'keys' }, current, readBlogIds(setting, source));
  } catch (error) {
    if (!isUnusableNow(error)) throw error;
  } finally {
    source?.close();
  }
}

/**
 * All that can be refused before anything is imported, built or served: an output of another blog, a database that is
 * not the output's, lost withdrawals, and lost keys.
 *
 * @param imports whether blogs will be imported into the database first
 * @throws OtherBlog, DatabaseLost, DatabaseOther, WithdrawalsLost, DatabaseError
 */
export function guardOutput(options: BuildOptions, imports: boolean): void {
  checkOutput(options);
  if (imports) guardImports(options);
  guardWithdrawals(options);
  checkKeys(options.db, options.out);
}

/**
 * Refuses to import into another database than that of the last build. It may be another blog's, or a new one without
 * keys, withdrawals and views.
 */
function guardImports({ db, out, force }: BuildOptions): void {
  if (force || !readPointer(out)) return;
  if (!existsSync(db)) throw new DatabaseLost(db, out);
  const { blogs } = readLastBuild(out) ?? {};
  const uid = readingFrom(db, blogUid);
  if (blogs !== undefined && uid !== null && !blogs.includes(uid)) throw new DatabaseOther(db, out);
}

/**
 * Refuses a database that lacks withdrawals of the last build: a new one, or an older backup. It would publish these
 * articles again.
 *
 * @returns the slugs that this database has withdrawn
 * @throws WithdrawalsLost
 */
export function guardWithdrawals(options: BuildOptions): readonly string[] {
  const withdrawn = readWithdrawnSlugs(options.db);
  const before = readLastBuild(options.out)?.withdrawn ?? [];
  const lost = before.filter((slug) => !withdrawn.includes(slug));
  if (lost.length > 0 && !options.force) throw new WithdrawalsLost(outputPlace(options), lost);
  return withdrawn;
}

/** @throws OtherBlog */
export function guardSource(
  options: BuildOptions,
  current: Pointer | undefined,
  blogs: readonly string[],
  source: Source,
): void {
  const unix = Math.floor(options.now.getTime() / 1000);
  if (!options.force) guardBlog(outputPlace(options), current, blogs, () => source.countPosts(unix));
}

export function outputPlace({ out }: BuildOptions): Target {
  return { name: out, command: 'build' };
}
