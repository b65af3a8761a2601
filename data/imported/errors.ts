import { ExplainedError } from '../../common/errors.ts';
import { shownAddress } from '../../common/shown-address.ts';
import type { Skipped } from '../../import/imported-item.ts';
import { type ImportReport, leftOut, sumCounts } from './report.ts';

/**
 * An error that stops the writing of a blog that was read: the database stays as it was. Each message says what failed,
 * on which thing, and what to do; the command line prints it unchanged.
 */
abstract class WritingError extends ExplainedError {}

/** With --strict: something would be lost. */
export class LossesFound extends WritingError {
  readonly report: ImportReport;
  constructor(report: ImportReport) {
    const posts = sumCounts(leftOut(report.skipped));
    const losses = report.losses.reduce((sum, { count }) => sum + count, 0);
    const found = [
      ...(posts > 0 ? [`${posts} ${posts === 1 ? 'post' : 'posts'} left out`] : []),
      ...(losses > 0 ? [`${losses} ${losses === 1 ? 'loss' : 'losses'} in posts`] : []),
    ];
    super(`${found.join(' and ')}, so nothing was written, because of --strict. The report lists them.`);
    this.report = report;
  }
}

/** Nothing was found: an empty folder, or the wrong one. */
export class NothingToImport extends WritingError {
  override readonly output: string;
  constructor({
    skipped,
    notes,
  }: {
    readonly skipped: readonly Skipped[];
    readonly notes: readonly string[];
  }) {
    const count = sumCounts(skipped);
    const [first] = [...leftOut(skipped), ...skipped];
    const found = first
      ? ` ${count === 1 ? '1 thing was' : `${count} things were`} left out, the first: ${first.source} ${first.reason}.`
      : '';
    super(
      `No posts to import were found, so nothing was written.${found} Check the path; ` +
        'if the blog is really empty, run "import" with --force.',
    );
    this.output = notes.join('\n');
  }
}

/** Protects against a blog that was emptied, or confused with another. */
export class TooManyPostsMissing extends WritingError {
  constructor(
    name: string,
    { missing, published }: { readonly missing: number; readonly published: number },
  ) {
    super(
      `${missing} of ${published} published posts of the blog "${name}" are missing from this import, so nothing was ` +
        'written. If they were deleted, run it again with --force; to keep them, with --keep; if this is another blog, ' +
        'give it its own name with --name.',
    );
  }
}

/** A part of a blog has the name of a known one, but not its address: taken for another, each post could be public twice. */
export class NameOfKnownBlog extends WritingError {
  constructor(name: string, known: string | null, found: string | null) {
    const at = (key: string | null): string => (key === null ? 'without a URL' : `of ${shownAddress(key)}`);
    super(
      `The database has a blog "${name}" ${at(known)}, and this one is ${at(found)}, so nothing was written. ` +
        `If it is the same blog, add --name "${name}"; if it is another, give it its own name with --name.`,
    );
  }
}

export class PartOfKnownBlog extends WritingError {
  constructor(folder: string, name: string, part: string) {
    super(
      `${folder} is only the folder ${part}/ of the blog "${name}", so nothing was written. ` +
        'Import the complete blog, or give this part its own name with --name.',
    );
  }
}

export class BlogNameInvalid extends WritingError {
  constructor(name: string) {
    super(`"${name}" cannot be the name of a blog. Give 1 to 100 characters without "/" with --name.`);
  }
}

export class SiteUrlInvalid extends WritingError {
  constructor(url: string) {
    super(
      `"${shownAddress(url)}" is not the URL of a site. Give one such as https://blog.example with --site.`,
    );
  }
}
