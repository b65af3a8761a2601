/** What the page does in the browser: its own address, tabs, light and dark, and the reference. */

/** The limit of a caller that has none, as headers say it. */
const NO_LIMIT = '2147483647';

for (const place of elementsIn(document, '[data-origin]')) {
  place.textContent = new URL(place.dataset['origin'] ?? '/', location.href).href.replace(/\/$/, '');
}
for (const group of elementsIn(document, '[data-tabs]')) makeTabs(group);
for (const block of document.querySelectorAll('figure pre')) addCopyButton(block);
const theme = makeTheme();
document.addEventListener('DOMContentLoaded', () => void showReference());

/**
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {HTMLElement[]}
 */
function elementsIn(root, selector) {
  return [...root.querySelectorAll(selector)].filter((element) => element instanceof HTMLElement);
}

/**
 * What the page itself has.
 *
 * @param {string} id
 * @returns {HTMLElement}
 */
function byId(id) {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no #${id}`);
  return element;
}

/**
 * Turns panels into tabs (WAI-ARIA Authoring Practices, "Tabs"): arrows move, Home and End jump.
 *
 * @param {HTMLElement} group
 */
function makeTabs(group) {
  const panels = elementsIn(group, '.panel');
  const list = document.createElement('div');
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', group.dataset['tabs'] ?? '');
  const tabs = panels.map((panel, i) => {
    const tab = document.createElement('button');
    Object.assign(tab, { type: 'button', id: `${panel.id}-tab`, textContent: panel.dataset['title'] });
    tab.setAttribute('role', 'tab');
    tab.setAttribute('aria-controls', panel.id);
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', tab.id);
    tab.addEventListener('click', () => choose(i));
    return tab;
  });
  list.append(...tabs);
  list.addEventListener('keydown', (event) => {
    const now = tabs.findIndex((tab) => tab.tabIndex === 0);
    /** @type {Readonly<Record<string, number>>} */
    const places = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: tabs.length - 1 };
    const to = places[event.key];
    if (to === undefined) return;
    event.preventDefault();
    choose((to + tabs.length) % tabs.length);
    tabs.find((tab) => tab.tabIndex === 0)?.focus();
  });
  group.prepend(list);
  group.classList.add('ready');
  choose(0);

  /** @param {number} chosen */
  function choose(chosen) {
    for (const [i, panel] of panels.entries()) panel.hidden = i !== chosen;
    for (const [i, tab] of tabs.entries()) {
      tab.setAttribute('aria-selected', String(i === chosen));
      tab.tabIndex = i === chosen ? 0 : -1;
    }
  }
}

/** @param {Element} block */
function addCopyButton(block) {
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', className: 'copy', textContent: 'Copy' });
  button.addEventListener('click', () => void copy());
  block.before(button);

  async function copy() {
    try {
      await navigator.clipboard.writeText(block.textContent);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Not allowed';
    }
    setTimeout(() => (button.textContent = 'Copy'), 1500);
  }
}

/** Light or dark: as the system has it, until the reader chooses. */
function makeTheme() {
  const button = byId('theme');
  const system = matchMedia('(prefers-color-scheme: dark)');
  let chosen = localStorage.getItem('offprint-theme');
  const isDark = () => (chosen === null ? system.matches : chosen === 'dark');
  const apply = () => {
    const dark = isDark();
    document.documentElement.dataset['theme'] = dark ? 'dark' : 'light';
    document.body.classList.toggle('dark-mode', dark);
    document.body.classList.toggle('light-mode', !dark);
    button.textContent = dark ? 'Light' : 'Dark';
    button.setAttribute('aria-label', `${button.textContent} colours`);
  };
  button.hidden = false;
  button.addEventListener('click', () => {
    chosen = isDark() ? 'light' : 'dark';
    localStorage.setItem('offprint-theme', chosen);
    apply();
  });
  system.addEventListener('change', apply);
  apply();
  return { isDark, apply };
}

/** The reference, from the description. Nothing in it may speak to anyone but this service. */
async function showReference() {
  const place = byId('reference');
  try {
    const description = await fetchDescription(place.dataset['about'] ?? '');
    place.replaceChildren();
    Scalar.createApiReference(place, {
      content: description,
      layout: 'modern',
      theme: 'default',
      darkMode: theme.isDark(),
      hideDarkModeToggle: true,
      withDefaultFonts: false,
      telemetry: false,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
      hideClientButton: true,
      hideModels: true,
      documentDownloadType: 'none',
      persistAuth: false,
      defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
      defaultOpenAllTags: true,
      authentication: { preferredSecurityScheme: 'bearer' },
      customFetch: fetchAndTell,
    });
    theme.apply();
    keepMended(document.body);
  } catch (error) {
    place.querySelector('.loading')?.prepend('The reference could not be loaded. ');
    throw error;
  }
}

/**
 * What is changed in the description.
 *
 * @typedef {{ in: string, required?: boolean, example?: unknown, examples?: unknown, schema: { default?: unknown } }} Parameter
 * @typedef {{ title: string, version: string, description: string }} Info
 * @typedef {{ info: Info, servers: { url: string }[], paths: Record<string, { get: { parameters: Parameter[] } }> }} Description
 */

/**
 * The description, as this page needs it: with a shorter introduction, since the page says the rest, with absolute
 * addresses, and with optional parameters left out of a call until the reader switches them on.
 *
 * @param {string} about
 */
async function fetchDescription(about) {
  const { href } = /** @type {HTMLLinkElement} */ (elementsIn(document, 'link[rel=service-desc]')[0]);
  const response = await fetch(href);
  if (!response.ok) throw new Error(`${href} gave ${response.status}`);
  const description = /** @type {Description} */ (await response.json()); // The same build has made it.
  description.info = { title: 'Reference', version: description.info.version, description: about };
  for (const server of description.servers) server.url = new URL(server.url, href).href;
  for (const { get } of Object.values(description.paths)) {
    get.parameters = get.parameters.filter((parameter) => parameter.in !== 'header'); // The browser's own business.
    for (const parameter of get.parameters) {
      if (parameter.required) continue;
      const value = parameter.example ?? parameter.schema.default ?? '';
      delete parameter.example;
      parameter.examples = { default: { value, 'x-disabled': true } };
    }
  }
  return description;
}

/**
 * Calls the service for the reference, and says at the top of the page what is left. Where no key was
 * filled in, the reference sends an empty one; such a call is meant to go without.
 *
 * @param {Parameters<typeof fetch>} sent
 */
async function fetchAndTell(...sent) {
  const request = new Request(...sent);
  if (/^(bearer)?\s*$/i.test(request.headers.get('Authorization') ?? 'none')) {
    request.headers.delete('Authorization');
  }
  if (request.headers.get('X-Api-Key')?.trim() === '') request.headers.delete('X-Api-Key');
  const response = await fetch(request);
  const [limit, left] = ['X-Quota-Limit', 'X-Quota-Remaining'].map((name) => response.headers.get(name));
  if (left !== null) {
    byId('quota').textContent = limit === NO_LIMIT ? '' : `${left} of ${limit} requests left today`;
  }
  return response;
}

/**
 * What the reference gets wrong for those who cannot see it: which elements, and what is set on them.
 * Null takes an attribute away.
 *
 * @type {readonly (readonly [string, (element: HTMLElement) => Readonly<Record<string, string | null>>])[]}
 */
const MENDINGS = [
  // Buttons of the sidebar are no tabs: aria-current says which place is the current one.
  [
    'aside button[aria-selected]',
    (button) => ({
      'aria-current': button.getAttribute('aria-selected') === 'true' ? 'true' : null,
      'aria-selected': null,
    }),
  ],
  // With these roles a button's own name would not count.
  ['button[role=search], button[role=none]', () => ({ role: null })],
  ['[class*="group/copy-button"]:not([aria-label])', () => ({ 'aria-label': 'Copy' })],
  ['[class*="group/copy-button"][aria-controls]', () => ({ 'aria-controls': null })],
  ['[role=combobox]:not([aria-expanded])', () => ({ 'aria-expanded': 'false' })],
  ['[aria-label^="undefined "]', (field) => ({ 'aria-label': field.dataset['placeholder'] ?? 'Value' })],
  [
    'tr input[type=checkbox]:not([aria-label])',
    (box) => ({ 'aria-label': `Send ${box.closest('tr')?.id || 'this row'}` }),
  ],
  ['.cm-content:not([aria-label])', () => ({ 'aria-label': 'Text' })],
  ['.cm-scroller[tabindex="-1"]', () => ({ tabindex: '0' })],
];

/**
 * Corrects it now, and after each change.
 *
 * @param {HTMLElement} root
 */
function keepMended(root) {
  const mend = () => {
    for (const [selector, attributesOf] of MENDINGS) {
      for (const element of elementsIn(root, selector)) {
        for (const [name, value] of Object.entries(attributesOf(element))) {
          if (value === null) element.removeAttribute(name);
          else element.setAttribute(name, value);
        }
      }
    }
  };
  let isDue = false;
  const observer = new MutationObserver(() => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      mend();
    });
  });
  const attributeFilter = ['aria-selected', 'aria-controls', 'aria-label', 'role'];
  observer.observe(root, { childList: true, subtree: true, attributeFilter });
  mend();
}
