/**
 * Change these values first. Readers can override them in the settings, for their own browser.
 */
export const CONFIG = {
  /** Your site's name, shown at the top. Empty: the name from the API. */
  title: '',
  /** Scheme and host of the API. */
  api: 'http://127.0.0.1:8787',
  /**
   * A key, or empty. Everyone who can open this page can read it: use a key of a separate account with only the
   * permissions it needs. All readers share its limit.
   */
  key: '',
  /**
   * Origins from which images are loaded, such as https://blog.example. Images from others are not. Those of the sample blog
   * come from the API itself.
   */
  images: ['http://127.0.0.1:8787'],
  /** Articles per page, 1 to 50. */
  perPage: 12,
};
