/** What to change first. Readers can override it in the settings, for their own browser. */
export const CONFIG = {
  /** Your site's name, shown at the top. Empty: the name that the API says. */
  title: '',
  /** Scheme and host of the API. */
  api: 'http://127.0.0.1:8787',
  /**
   * A key, or empty. Whatever stands here can be read by everyone who can open this page: use a key of an
   * account that is made for it, with the permissions it needs, and know that its limit is shared by all.
   */
  key: '',
  /** Origins of which images are loaded, such as https://blog.example. From others, none are. */
  images: /** @type {string[]} */ ([]),
  /** Articles on a page, 1 to 50. */
  perPage: 12,
};
