/**
 * Restricts the page's Content-Security-Policy to the addresses in the settings. A second policy can only restrict
 * further: the browser then refuses every other host, whatever an article or a bug in this program requests.
 *
 * @param {import('./settings.js').Settings} settings
 */
export function narrowPolicy({ api, images }) {
  const meta = document.createElement('meta');
  meta.httpEquiv = 'Content-Security-Policy';
  meta.content = `connect-src ${api}; img-src ${["'self'", 'data:', ...images].join(' ')}`;
  document.head.append(meta);
}
