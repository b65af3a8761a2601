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

export class BlogUnreachable extends RunningBlogError {
  constructor(url: URL, reason: string) {
    super(`${shown(url)} does not answer: ${reason}. Check the address, or try again later.`);
  }
}

export class BlogBusy extends RunningBlogError {
  constructor(url: URL, seconds: number) {
    super(`${shown(url)} asks to wait ${seconds} seconds before the next request. Import again after that.`);
  }
}

export class BlogRedirects extends RunningBlogError {
  constructor(url: URL, to: string) {
    super(
      `${shown(url)} redirects to ${to.slice(0, 200)}. Redirects are followed only on the same host. ` +
        'If that is the blog, give its address instead.',
    );
  }
}

export class CredentialsUnencrypted extends RunningBlogError {
  constructor(url: URL) {
    super(
      `A key or password is never sent to ${shown(url)}, because http is not encrypted. Give the address with https://.`,
    );
  }
}

export class CredentialsMissing extends RunningBlogError {
  constructor(what: string, how: string) {
    super(`${what} is missing. ${how}`);
  }
}

export class CredentialsRejected extends RunningBlogError {
  constructor(url: URL, what: string, how: string) {
    super(`${shown(url)} rejects ${what}. ${how}`);
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
        'Or this user cannot see all posts: then use the application password of an editor or administrator.',
    );
  }
}

const shown = ({ href }: URL) => shownAddress(href).replace(/\/+$/, '');
