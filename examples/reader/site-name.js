/**
 * The blog's name: from config.js, otherwise from the API, and then stored until the tab is closed.
 */
import { CONFIG } from './config.js';

const STORED = 'reader.site';

/** The name to show until the API has answered. */
export function knownSiteName() {
  if (CONFIG.title !== '') return CONFIG.title;
  try {
    return sessionStorage.getItem(STORED) ?? 'Articles';
  } catch {
    return 'Articles'; // The browser blocks storage for this page.
  }
}

/**
 * @param {import('./api.js').Api} api
 * @returns {Promise<string>} the stored name if the API does not answer
 */
export async function readSiteName(api) {
  const known = knownSiteName();
  if (CONFIG.title !== '' || known !== 'Articles') return known;
  try {
    const { site } = await api.get('overview', (blog) =>
      blog.overview({ signal: AbortSignal.timeout(20_000) }),
    );
    sessionStorage.setItem(STORED, site.name);
    return site.name;
  } catch {
    return known;
  }
}
