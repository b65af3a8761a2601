/**
 * Main program: the page's address says what to show, and a view requests it from the API and shows it.
 *
 * Links and forms are plain HTML. With the Navigation API, navigation within this page needs no reload, and back, forward
 * and scrolling work as usual. In other browsers the same links reload the page, with the same result.
 */
import { listAddress, placeOf } from './address.js';
import { Api } from './api.js';
import { showArticle } from './article.js';
import { byId } from './element.js';
import { describeFault } from './fault.js';
import { createFilters } from './filters.js';
import { showList } from './list.js';
import { narrowPolicy } from './policy.js';
import { quotaGauge } from './quota.js';
import { readSettings, settingsDialog } from './settings.js';
import { knownSiteName, readSiteName } from './site-name.js';

/** @typedef {{ title: string, announcement: string | null, content: (Node | false)[] }} View */
/**
 * What a view receives: the API, and a function to show its content.
 *
 * @typedef {object} Stage
 * @property {Api} api
 * @property {import('./settings.js').Settings} settings
 * @property {AbortSignal} signal aborted when another view replaces this one
 * @property {Map<string, import('./api.js').Summary>} seen articles known from lists
 * @property {string} listUrl the list shown last
 * @property {(view: View | null, meanwhile?: Node[]) => void} show shows a view; null while it loads
 */

const settings = readSettings();
narrowPolicy(settings);
const api = new Api(settings, quotaGauge());
const dialog = settingsDialog(settings);
const main = byId('main');
/** @type {Map<string, import('./api.js').Summary>} */
const seen = new Map();
let listUrl = './';
let current = new AbortController();
let siteName = knownSiteName();
let viewTitle = '';

const filters = createFilters((query, { replace }) => go(listAddress(query), replace));

/**
 * Shows the view of an address. Requests of the previous view are cancelled.
 *
 * @param {string} url
 * @param {(phase: 'shape' | 'content' | 'end') => void} arrived called when something is visible
 */
async function render(url, arrived) {
  current.abort();
  current = new AbortController();
  const { signal } = current;
  const place = placeOf(url);
  filters.set(place);
  if (place.view === 'list') listUrl = listAddress(place.query);
  main.ariaBusy = 'true';

  /** @type {Stage['show']} */
  const show = (view, meanwhile = []) => {
    if (signal.aborted) return;
    // A list stays, dimmed, until the next one has loaded; an empty page gets a placeholder.
    if (view || main.dataset['view'] !== place.view || main.childElementCount === 0) {
      main.replaceChildren(...(view?.content.filter((node) => node !== false) ?? meanwhile));
      main.dataset['view'] = place.view;
      arrived(view ? 'content' : 'shape');
    }
    if (!view) return;
    viewTitle = view.title;
    showTitle();
    byId('status').textContent = view.announcement ?? '';
  };
  const stage = { api, settings, signal, seen, listUrl, show };
  try {
    await (place.view === 'article' ? showArticle(stage, place.slug) : showList(stage, place.query));
  } catch (error) {
    if (signal.aborted) return;
    const again = () => void render(url, () => undefined);
    show(describeFault(error, { signal, again, openSettings: dialog.open }));
  }
  if (signal.aborted) return;
  main.ariaBusy = 'false';
  arrived('end');
  if (place.view === 'list') await filters.fill(api);
}

/**
 * @param {string} address
 * @param {boolean} replace whether to replace the history entry, instead of adding one
 */
function go(address, replace) {
  if ('navigation' in globalThis)
    navigation.navigate(address, { history: replace ? 'replace' : 'push', info: 'filters' });
  else location.assign(address);
}

if ('navigation' in globalThis) navigation.addEventListener('navigate', follow);

/** @param {NavigateEvent} event */
function follow(event) {
  const { pathname, origin } = new URL(event.destination.url);
  const isHere = origin === location.origin && pathname === location.pathname;
  if (!event.canIntercept || event.hashChange || event.downloadRequest !== null || !isHere) return;
  if (event.navigationType === 'reload') return;

  const from = location.search;
  const byFilters = event.info === 'filters';
  const isBack = event.navigationType === 'traverse';
  let hasScrolled = false;
  event.intercept({
    focusReset: 'manual',
    scroll: byFilters ? 'after-transition' : 'manual',
    handler: () =>
      render(event.destination.url, (phase) => {
        if (byFilters) return;
        if (phase === 'end') moveFocus(isBack ? from : null);
        else if (!hasScrolled && !(isBack && phase === 'shape')) {
          hasScrolled = true;
          event.scroll();
        }
      }),
  });
}

/**
 * After going somewhere, reading starts at its heading; after going back, at the link that one had followed.
 *
 * @param {string | null} left the address that was left
 */
function moveFocus(left) {
  const links = left === null || left === '' ? [] : [...main.querySelectorAll('a')];
  const link = links.find((candidate) => candidate.getAttribute('href') === left);
  const target = link ?? main.querySelector('h1') ?? main;
  target.focus({ preventScroll: true });
}

function showTitle() {
  document.title = viewTitle === '' || viewTitle === siteName ? siteName : `${viewTitle} · ${siteName}`;
  byId('site').textContent = siteName;
}

async function nameSite() {
  siteName = await readSiteName(api);
  showTitle();
}

showTitle();
byId('origin').textContent = settings.api.replace(/^https?:\/\//, '');
byId('open-settings').addEventListener('click', dialog.open);
await Promise.all([render(location.href, () => undefined), nameSite()]);
