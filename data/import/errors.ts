/**
 * What stops a whole import. What is wrong with one post does not: that post is named as skipped.
 * Each message says what failed, on which thing, and what to do; the command line prints it as it is.
 */
export abstract class ImportError extends Error {
  override name = this.constructor.name;
}

export class FolderMissing extends ImportError {
  constructor(path: string) {
    super(`There is no folder at ${path}. Give the folder that holds the blog's posts.`);
  }
}

export class SiteUrlInvalid extends ImportError {
  constructor(url: string) {
    super(`"${url}" is not the address of a site. Give one such as https://blog.example with --site.`);
  }
}

/** Not for the command line: the readers turn it into the reason of a skipped file. */
export class PostUnreadable extends ImportError {}
