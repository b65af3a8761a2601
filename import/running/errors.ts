import { ExplainedError } from '../../common/errors.ts';
import { shownAddress } from '../../common/shown-address.ts';

/** An error that stops the import of a running blog. Addresses in messages have no query, which may contain a key. */
abstract class RunningBlogError extends ExplainedError {}

export class BlogAddressInvalid extends RunningBlogError {
  constructor() {
    super(
      'This is not the address of a blog. Give one such as https://blog.example, without a user name, query or fragment.',
    );
  }
}

export class KeyRefused extends RunningBlogError {
  /** @param what what is wrong with it, and what to do */
  constructor(what: string) {
    super(what);
  }
}

export class BlogAnswerInvalid extends RunningBlogError {
  constructor(url: URL, why: string) {
    super(`${shown(url)} gave an answer that cannot be used: ${why}. Nothing was written.`);
  }
}

export class ApiMissing extends RunningBlogError {
  constructor(address: URL, system: string, hint: string) {
    super(`There is no API of ${system} at ${shown(address)}. ${hint}`);
  }
}

export class BlogKeepsChanging extends RunningBlogError {
  constructor(url: URL, listed: number, total: number) {
    super(
      `${shown(url)} lists ${listed} of ${total} posts. Either the blog is changing right now: then import again. ` +
        'Or a plug-in hides some of its posts: then import an export (Tools, Export).',
    );
  }
}

function shown({ href }: URL): string {
  return shownAddress(href).replace(/\/+$/, '');
}
