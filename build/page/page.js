/** The page's script: its own address, copy buttons, sidebar and reference. */

/** Prefix of the reference's ids. */
const NAME = 'reference';

for (const place of elementsIn(document, '[data-origin]')) {
  place.textContent = new URL(place.dataset['origin'] ?? '/', location.href).href.replace(/\/$/, '');
}
for (const block of document.querySelectorAll('pre')) addCopyButton(block);
const system = matchMedia('(prefers-color-scheme: dark)');
system.addEventListener('change', applyScheme);
applyScheme();
markCurrent();
addEventListener('hashchange', openIfAsked);
openIfAsked();

/**
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {HTMLElement[]}
 */
function elementsIn(root, selector) {
  return [...root.querySelectorAll(selector)].filter((element) => element instanceof HTMLElement);
}

/**
 * An element that the page must have.
 *
 * @param {string} id
 * @returns {HTMLElement}
 */
function byId(id) {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no #${id}`);
  return element;
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

/** Sets the reference's colour scheme: it follows the system, as the page does. */
function applyScheme() {
  document.body.classList.toggle('dark-mode', system.matches);
  document.body.classList.toggle('light-mode', !system.matches);
}

/** Marks the current section in the sidebar. On phones, closes the sidebar after a click on a link. */
function markCurrent() {
  const menu = byId('menu');
  const links = elementsIn(menu, 'a');
  const targetId = (/** @type {HTMLElement} */ link) => decodeURI(link.getAttribute('href')?.slice(1) ?? '');
  const mark = () => {
    const isRead = (/** @type {HTMLElement} */ link) => {
      const place =
        document.getElementById(`${NAME}/${targetId(link)}`) ?? document.getElementById(targetId(link));
      return place !== null && place.getBoundingClientRect().top < 160;
    };
    const current = links.findLast(isRead);
    for (const link of links) {
      if (link === current) link.setAttribute('aria-current', 'location');
      else link.removeAttribute('aria-current');
    }
  };
  addEventListener('scroll', () => requestAnimationFrame(mark), { passive: true });
  menu.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLAnchorElement && menu.matches(':popover-open')) menu.hidePopover();
  });
  mark();
}

/** Opens the reference if the page's address points into it. It is large, and many users need only the guide. */
function openIfAsked() {
  if (!/^#(?:tag|description)\//.test(location.hash)) return;
  removeEventListener('hashchange', openIfAsked);
  void showReference();
}

/** Renders the reference from the description. It must connect to no other host than this service. */
async function showReference() {
  const place = byId('reference');
  const status = byId('loading');
  status.textContent = 'Opening the reference …';
  place.ariaBusy = 'true';
  const { script, about } = place.dataset;
  try {
    const described = fetchDescription(about ?? '');
    await painted(); // The script keeps the browser busy for a second or more.
    const [description] = await Promise.all([described, loadScript(script ?? '')]);
    for (const main of document.querySelectorAll('main')) {
      // The reference has its own `main` element.
      const plain = document.createElement('div');
      plain.className = 'main';
      main.replaceWith(plain);
      plain.append(...main.childNodes);
    }
    place.replaceChildren();
    Scalar.createApiReference(place, {
      content: description,
      slug: NAME,
      layout: 'modern',
      theme: 'default',
      darkMode: system.matches,
      showSidebar: false,
      hideSearch: true,
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
      customFetch: fetchAndShow,
    });
    applyScheme();
    keepFixed(document.body);
    // The link that opened the reference was removed, and with it the focus.
    if (document.activeElement === document.body) place.focus({ preventScroll: true });
    await painted();
    status.textContent = '';
  } catch (error) {
    status.textContent = 'The reference could not be loaded. Reload the page to try again.';
    throw error;
  } finally {
    place.ariaBusy = 'false';
  }
}

/** Waits until what has changed is on the screen. */
function painted() {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

/**
 * @param {string} src
 * @returns {Promise<void>}
 */
function loadScript(src) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    Object.assign(script, {
      src,
      onload: () => resolve(),
      onerror: () => reject(new Error(`${src} is not there`)),
    });
    document.head.append(script);
  });
}

/**
 * The parts of the description that are changed.
 *
 * @typedef {{ in: string, required?: boolean, example?: unknown, examples?: unknown, schema: { default?: unknown } }} Parameter
 * @typedef {{ title: string, version: string, description: string }} Info
 * @typedef {{ info: Info, servers: { url: string }[], paths: Record<string, { get: { parameters: Parameter[] } }> }} Description
 */

/**
 * Fetches the description and adapts it: a shorter introduction, since the guide has the rest, absolute addresses, and
 * optional parameters that are off until the user turns them on.
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
 * Sends a request of the reference. Without a key the reference sends an empty one, which is removed here.
 *
 * @param {Parameters<typeof fetch>} sent
 */
async function fetchAndShow(...sent) {
  const request = new Request(...sent);
  if (/^(bearer)?\s*$/i.test(request.headers.get('Authorization') ?? 'none')) {
    request.headers.delete('Authorization');
  }
  if (request.headers.get('X-Api-Key')?.trim() === '') request.headers.delete('X-Api-Key');
  const response = await fetch(request);
  // On phones the answer is below the parameters.
  document.querySelector('.scalar-client [aria-label=Response]')?.scrollIntoView();
  return response;
}

/**
 * Fixes for accessibility faults of the reference: elements, and the attributes to set on them. Null removes an
 * attribute.
 *
 * @type {readonly (readonly [string, (element: HTMLElement) => Readonly<Record<string, string | null>>])[]}
 */
const FIXES = [
  // There is one for each endpoint, and landmarks must have different names.
  ['.response-card[role=region]', () => ({ role: 'group' })],
  [
    '.scalar-client [aria-label="Notifications alt+T"]',
    () => ({ 'aria-label': 'Notifications of requests' }),
  ],
  // With these roles a button's own name is ignored.
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
  ['ul.endpoints', () => ({ tabindex: '0' })], // It scrolls where paths are long.
  ['.cm-scroller[tabindex="-1"]', () => ({ tabindex: '0' })],
];

/**
 * Applies the fixes now and after each change.
 *
 * @param {HTMLElement} root
 */
function keepFixed(root) {
  const fix = () => {
    for (const [selector, attributesOf] of FIXES) {
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
    keepModal(root); // At once: as it closes, the dialog returns the focus.
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      fix();
    });
  });
  const attributeFilter = ['aria-selected', 'aria-controls', 'aria-label', 'class', 'role'];
  observer.observe(root, { childList: true, subtree: true, attributeFilter });
  fix();
}

/**
 * While the dialog for requests is open, the reference behind it is inert. Both have a `main` element.
 *
 * @param {HTMLElement} root
 */
function keepModal(root) {
  const isOpen = root.querySelector('.scalar-client--open') !== null;
  for (const main of elementsIn(root, '.references-rendered')) main.inert = isOpen;
}
