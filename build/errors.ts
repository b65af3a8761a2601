import { ExplainedError } from '../common/errors.ts';
import type { SkippedRow } from '../data/skipped-row.ts';

/** Failures of builds and of other commands on an output. They do not change the published snapshot. */
export abstract class BuildError extends ExplainedError {}

export class BuildRunning extends BuildError {
  constructor(out: string) {
    super(`Another build is writing to ${out}. Wait until it has finished, then try again.`);
  }
}

export class NoSuchSnapshot extends BuildError {
  constructor(id: string, matching: number) {
    super(
      matching > 1
        ? `"${id}" matches ${matching} snapshots. Use more characters.`
        : `There is no kept snapshot "${id}". "snapshots list" shows all.`,
    );
  }
}

/** A snapshot lacks an object. */
export class SnapshotIncomplete extends BuildError {
  /** The path of the missing object. */
  readonly path: string;

  constructor(snapshot: string, path: string, { name, command }: Target) {
    super(
      `Snapshot ${snapshot} cannot be served from ${name}: ${path} is missing or damaged. ` +
        `"${command} --full" repairs the current one; "snapshots rollback" serves another.`,
    );
    this.path = path;
  }
}

/** A rollback would publish a withdrawn article again. */
export class SnapshotWithdrawn extends BuildError {
  constructor(snapshot: string, slug: string) {
    super(
      `Snapshot ${snapshot} has the article "${slug}", which is withdrawn. Choose another with "snapshots list". ` +
        `"withdraw ${slug}" removes it from all of them.`,
    );
  }
}

/** After a rollback. */
export class SnapshotHeld extends BuildError {
  /** @param flags that name the bucket to a command; empty: it is held in the output */
  constructor(snapshot: string, flags = '') {
    super(
      `Snapshot ${snapshot} is held after a rollback, so nothing was published. ` +
        `Run "snapshots release${flags}" to publish again.`,
    );
  }
}

/** With `--strict`. */
export class RowsSkipped extends BuildError {
  readonly skipped: readonly SkippedRow[];

  constructor(skipped: readonly SkippedRow[]) {
    super(
      `${describeSkipped(skipped)}Nothing was published, because of --strict. Correct them, or build without --strict.`,
    );
    this.skipped = skipped;
  }
}

/** Guards against an emptied database, or a wrong one. */
export class TooManyPostsGone extends BuildError {
  readonly skipped: readonly SkippedRow[];

  /** @param skipped rows that cannot be published: often the reason */
  constructor({ name, command }: Target, before: number, after: number, skipped: readonly SkippedRow[] = []) {
    super(
      command === 'build'
        ? `This build would leave only ${after} of ${before} published posts. ${describeSkipped(skipped)}` +
            `If this is intended, repeat it with --force; otherwise check --db.`
        : `This publish would leave only ${after} of ${before} published posts in ${name}. ` +
            `If this is intended, repeat it with --force; otherwise check --out.`,
    );
    this.skipped = skipped;
  }
}

/** `2 rows cannot be published, such as offprint_posts "one": its date "soon" cannot be read. ` */
function describeSkipped([first, ...others]: readonly SkippedRow[]): string {
  if (first === undefined) return '';
  const { table, row, reason } = first;
  const rows =
    others.length === 0
      ? '1 row cannot be published:'
      : `${others.length + 1} rows cannot be published, such as`;
  return `${rows} ${table} "${row}": ${reason}. `;
}

/** The target of a command. */
export interface Target {
  /** The folder, or `s3://BUCKET/PREFIX`. */
  readonly name: string;
  /** The command that writes to it. */
  readonly command: 'build' | 'publish' | 'keys';
}

/** What to do if the target serves another blog. */
const OTHER_BLOG_ADVICE = {
  build: 'or run "build --force" once; otherwise pass the right --db or --out.',
  publish: 'or run "publish --force" once; otherwise pass the right --out or --to.',
  keys: 'or run "build --force" once; otherwise pass the right --db or --out.',
};

/** Guards the output or bucket of another blog. */
export class OtherBlog extends BuildError {
  /** @param blog the id of this blog; null: unknown */
  constructor(
    { name, command }: Target,
    served: { readonly blog: string | null; readonly posts: number },
    blog: string | null,
    posts: number | undefined,
  ) {
    const own = blog === null ? 'a blog without an id' : `"${blog}"`;
    const size = posts === undefined ? '' : ` (${countPosts(posts)})`;
    super(
      `${name} serves the blog "${served.blog}" (${countPosts(served.posts)}), but this is ${own}${size}. ` +
        `Nothing was ${command === 'keys' ? 'changed' : 'published'}. If they are the same blog, ` +
        `set "blog": "${served.blog}" in offprint.json, ${OTHER_BLOG_ADVICE[command]}`,
    );
  }
}

function countPosts(posts: number): string {
  return posts === 1 ? '1 post' : `${posts} posts`;
}

/** Guards against imports into a new database, after that of the output was lost. */
export class DatabaseLost extends BuildError {
  constructor(db: string, out: string) {
    super(
      `${out} was built from a database, but there is none at ${db}, so nothing was imported. Pass it with --db, or ` +
        'restore a backup. To use a new one instead, run "build --force" once.',
    );
  }
}

/** Guards a database against the imports that `offprint.json` names, which belong to another. */
export class DatabaseOther extends BuildError {
  constructor(db: string, out: string) {
    super(
      `${db} is not the database that ${out} was built from, so nothing was imported into it. Pass that one with ` +
        '--db, or restore a backup. To use this one instead, run "build --force" once.',
    );
  }
}

/** Guards against a new or wrong database, which would publish withdrawn articles again. */
export class WithdrawalsLost extends BuildError {
  /** @param slugs of the articles, at least one */
  constructor({ name }: Target, slugs: readonly string[]) {
    const articles = slugs.length === 1 ? '1 article was' : `${slugs.length} articles were`;
    super(
      `${articles} withdrawn from ${name}, such as "${slugs[0]}", and this database has no record of it. ` +
        'Nothing was published. Pass the right database with --db, or restore a backup. To use this one ' +
        'instead, repeat "withdraw" for each, or publish them again with "build --force".',
    );
  }
}

/** The database has withdrawn the article, but the build failed. */
export class WithdrawalStopped extends BuildError {
  constructor(slug: string, out: string, reason: string) {
    super(`"${slug}" is still served from ${out}: ${reason} Then run "withdraw" again.`);
  }
}

/** Guards against a missing configuration. */
export class LimitsLost extends BuildError {
  /** @param changes `limits.minute 60 → 30` */
  constructor({ name, command }: Target, changes: readonly string[]) {
    super(
      `There is no configuration file, so ${name} would fall back to the default limits: ${changes.join(', ')}. ` +
        `Nothing was published. Pass the configuration with "build --config"; if the defaults are right, ` +
        `run "${command} --force" once.`,
    );
  }
}

/** An account must not be left without the limits that it was given. */
export class PlansMissing extends BuildError {
  /** @param accounts whose plans no limits name, at least one */
  constructor(accounts: readonly { readonly name?: string; readonly plan: string }[]) {
    const plans = [...new Set(accounts.map(({ plan }) => `"${plan}"`))].join(', ');
    const names = accounts.flatMap(({ name }) => name ?? []);
    const whose = names.length === 0 ? '' : ` of the ${formatAccounts(names)}`;
    super(
      `limits.day in the configuration lacks the plan ${plans}${whose}. ` +
        'Nothing was changed. Add the plan there, or assign another with "accounts set NAME --plan user".',
    );
  }
}

/** A gateway would count an account with an unknown plan by `user`. */
export class PlanNotPublished extends BuildError {
  constructor(plan: string, known: readonly string[]) {
    super(
      plan === 'address'
        ? 'The plan "address" is for callers without a key. Choose another.'
        : `The published snapshot has no plan "${plan}" (it has ${known.join(', ')}). ` +
            'Add it to limits.day in offprint.json, run "build", then repeat this.',
    );
  }
}

/** Limits are part of a snapshot, so a rollback brings earlier ones back. */
export class RollbackChangesLimits extends BuildError {
  /** @param accounts with a key whose limits would change */
  constructor(changes: readonly string[], accounts: readonly string[]) {
    const affected = accounts.length === 0 ? '' : ` This affects the ${formatAccounts(accounts)}.`;
    super(
      `That snapshot has different limits: ${changes.join('; ')}.${affected} Nothing was changed. ` +
        'If this is intended, repeat it with --force.',
    );
  }
}

/** `account "ada"`, `accounts "ada", "bob", "eve" and 4 others` */
function formatAccounts(names: readonly string[]): string {
  const shown = names.slice(0, 10).map((name) => `"${name}"`);
  const more = names.length > shown.length ? ` and ${names.length - shown.length} others` : '';
  return `${names.length === 1 ? 'account' : 'accounts'} ${shown.join(', ')}${more}`;
}

/** Internal: the database was changed between the start of the build's transaction and that of a thread. */
export class SourceMoved extends Error {
  override name = 'SourceMoved';
}

/** Internal: an article needs more memory than a thread has. The main thread has more. */
export class ThreadTooSmall extends Error {
  override name = 'ThreadTooSmall';
}
