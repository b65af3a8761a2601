/** The search field and the selects, in sync with the page's address. */
import { LIST_PARAMETERS } from './address.js';
import { byId, element } from './element.js';
import { formatNumber } from './format.js';

/** Debounce: one request for a word, not for each letter. */
const PAUSE_MS = 300;

/** Categories, tags and authors rarely change: they are cached for this time, also across reloads. */
const FRESH_MS = 15 * 60_000;
const STORED = 'reader.names';

/** Maximum number of options that people scroll through; tags and authors are sorted by use. */
const OPTIONS = 200;

/** @typedef {{ value: string, label: string, count: number }} Choice */
/** @typedef {Record<'category' | 'tag' | 'author', Choice[]>} Choices */

/**
 * @param {(query: import('./address.js').ListQuery, how: { replace: boolean }) => void} changed called with the new query;
 *   `replace` while a word is typed
 */
export function createFilters(changed) {
  const form = /** @type {HTMLFormElement} */ (byId('query'));
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let pause;
  let isTyping = false;
  let isFilled = false;

  /** @param {boolean} replace */
  function submit(replace) {
    clearTimeout(pause);
    const data = new FormData(form);
    /** @type {import('./address.js').ListQuery} */
    const query = {};
    for (const name of LIST_PARAMETERS) {
      const value = data.get(name);
      if (typeof value === 'string' && value.trim() !== '') query[name] = value.trim();
    }
    changed(query, { replace });
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submit(isTyping);
    isTyping = false;
  });
  field('q').addEventListener('input', (event) => {
    clearTimeout(pause);
    if (event instanceof InputEvent && event.isComposing) return; // An input method is still composing.
    if (!('navigation' in globalThis)) return; // The page would reload while someone types. Enter submits instead.
    pause = setTimeout(() => {
      submit(isTyping);
      isTyping = true;
    }, PAUSE_MS);
  });
  field('q').addEventListener('compositionend', () => field('q').dispatchEvent(new Event('input')));
  field('q').addEventListener('blur', () => (isTyping = false));
  for (const name of ['category', 'tag', 'author', 'sort']) {
    field(name).addEventListener('change', () => submit(false));
  }

  return {
    /**
     * Shows the values of the address, but does not change a field during typing.
     *
     * @param {import('./address.js').Place} place
     */
    set(place) {
      byId('filters').hidden = place.view !== 'list';
      if (document.activeElement !== field('q')) clearTimeout(pause);
      const query = place.view === 'list' ? place.query : {};
      for (const name of LIST_PARAMETERS) {
        if (name === 'page') continue;
        const control = field(name);
        if (control instanceof HTMLSelectElement) choose(control, query[name] ?? '');
        else if (document.activeElement !== control || place.view === 'article')
          control.value = query[name] ?? '';
      }
    },

    /**
     * Fills the selects once. If a list cannot be loaded, its select stays empty.
     *
     * @param {import('./api.js').Api} api
     */
    async fill(api) {
      if (isFilled) return;
      isFilled = true;
      const choices = await readChoices(api);
      for (const [name, list] of Object.entries(choices)) {
        const select = /** @type {HTMLSelectElement} */ (field(name));
        const chosen = select.value;
        const options = list
          .slice(0, OPTIONS)
          .map(({ value, label, count }) =>
            element('option', { value, dir: 'auto' }, `${label} (${formatNumber(count)})`),
          );
        [...select.options].slice(1).forEach((option) => option.remove());
        select.append(...options);
        list.slice(0, OPTIONS).forEach(({ label }, i) => options[i]?.setAttribute('data-name', label));
        choose(select, chosen);
      }
    },
  };
}

/**
 * Articles and addresses may use tag names, but the select uses slugs.
 *
 * @param {HTMLSelectElement} select
 * @param {string} value
 */
function choose(select, value) {
  const hyphened = (/** @type {string | undefined} */ name) => name?.toLowerCase().replaceAll(' ', '-');
  const option = [...select.options].find(
    (candidate) => candidate.value === value || hyphened(candidate.dataset['name']) === hyphened(value),
  );
  if (!option) select.append(element('option', { value, dir: 'auto' }, value));
  select.value = option?.value ?? value;
}

/**
 * @param {import('./api.js').Api} api
 * @returns {Promise<Partial<Choices>>}
 */
async function readChoices(api) {
  try {
    /** @type {unknown} */
    const stored = JSON.parse(sessionStorage.getItem(STORED) ?? 'null');
    if (isStored(stored) && Date.now() - stored.at < FRESH_MS) return stored.choices;
  } catch {
    // Storage is blocked: request them.
  }
  const signal = AbortSignal.timeout(20_000);
  const [categories, tags, authors] = await Promise.allSettled([
    api.get('categories', (blog) => blog.categories({ signal })),
    api.get('tags', (blog) => blog.tags({ signal })),
    api.get('authors', (blog) => blog.authors({ per_page: 50 }, { signal })),
  ]);
  /** @typedef {import('./offprint-client.js').Tag} Tag */
  const terms = (/** @type {PromiseSettledResult<Tag[]>} */ list) =>
    list.status === 'rejected'
      ? null
      : list.value.map(({ slug, name, posts_count }) => ({ value: slug, label: name, count: posts_count }));
  const people =
    authors.status === 'rejected'
      ? null
      : authors.value.items.map(({ username, name, posts_count }) => ({
          value: username,
          label: name,
          count: posts_count,
        }));
  const found = { category: terms(categories), tag: terms(tags), author: people };
  const choices = /** @type {Partial<Choices>} */ (
    Object.fromEntries(Object.entries(found).filter(([, list]) => list !== null))
  );
  if (Object.keys(choices).length === 3) {
    try {
      sessionStorage.setItem(STORED, JSON.stringify({ at: Date.now(), choices }));
    } catch {
      // Storage is full or blocked: they are requested again next time.
    }
  }
  return choices;
}

/**
 * Validates stored choices, since other versions of this page may use another format.
 *
 * @param {unknown} stored
 * @returns {stored is { at: number, choices: Choices }}
 */
function isStored(stored) {
  if (typeof stored !== 'object' || stored === null || !('at' in stored) || !('choices' in stored))
    return false;
  const { at, choices } = stored;
  if (typeof at !== 'number' || typeof choices !== 'object' || choices === null) return false;
  const lists = Object.entries(choices).filter(([name]) => /^(?:category|tag|author)$/.test(name));
  return lists.length === 3 && lists.every(([, list]) => Array.isArray(list) && list.every(isChoice));
}

/** @param {unknown} choice */
function isChoice(choice) {
  if (typeof choice !== 'object' || choice === null) return false;
  const { value, label, count } = { value: null, label: null, count: null, ...choice };
  return typeof value === 'string' && typeof label === 'string' && typeof count === 'number';
}

/**
 * @param {string} name
 * @returns {HTMLInputElement | HTMLSelectElement}
 */
function field(name) {
  const form = /** @type {HTMLFormElement} */ (byId('query'));
  return /** @type {HTMLInputElement | HTMLSelectElement} */ (form.elements.namedItem(name));
}
