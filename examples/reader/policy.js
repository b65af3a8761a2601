/**
 * Narrows the page's Content-Security-Policy to the addresses that the settings name. A policy added later
 * can only take away: the browser itself then refuses every other host, whatever an article or a fault in this
 * program asks for.
 *
 * @param {import('./settings.js').Settings} settings
 */
export function narrowPolicy({ api, images }) {
  const meta = document.createElement('meta');
  meta.httpEquiv = 'Content-Security-Policy';
  meta.content = `connect-src ${api}; img-src ${["'self'", 'data:', ...images].join(' ')}`;
  document.head.append(meta);
}
