/** The settings: from config.js, or chosen by the reader and stored in this browser. */
import { CONFIG } from './config.js';

const STORED = 'reader.settings';

/** @typedef {{ api: string, key: string, images: string[] }} Settings */

/**
 * Addresses come from the file or the dialog, never from the page's URL: otherwise a link could show a stranger's texts
 * under your name, or send your key to a stranger.
 *
 * @returns {Settings}
 */
export function readSettings() {
  const { api, key, images } = CONFIG;
  try {
    /** @type {unknown} */
    const value = JSON.parse(localStorage.getItem(STORED) ?? '{}');
    /** @type {Partial<Record<keyof Settings, unknown>>} */
    const stored = typeof value === 'object' && value !== null ? value : {};
    return {
      api: originOf(stored.api) ?? api,
      key: typeof stored.key === 'string' ? stored.key : key,
      images: Array.isArray(stored.images) ? stored.images.flatMap((entry) => originOf(entry) ?? []) : images,
    };
  } catch {
    return { api, key, images }; // Storage is blocked, or its content is not ours.
  }
}

/**
 * Makes a dialog that changes the settings; the page reloads with them.
 *
 * @param {Settings} settings
 */
export function settingsDialog({ api, key, images }) {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById('settings'));
  const form = /** @type {HTMLFormElement} */ (dialog.querySelector('form'));
  const field = (/** @type {string} */ name) =>
    /** @type {HTMLInputElement} */ (form.elements.namedItem(name));

  dialog.querySelector('#close-settings')?.addEventListener('click', () => dialog.close());
  field('api').addEventListener('input', () => field('api').setCustomValidity(''));
  form.addEventListener('submit', (event) => {
    const address = originOf(field('api').value);
    if (address === undefined) {
      event.preventDefault();
      field('api').setCustomValidity('An address such as https://api.blog.example');
      field('api').reportValidity();
      return;
    }
    const hosts = field('images').value.split(/[\s,]+/);
    const chosen = {
      api: address,
      key: field('key').value.trim(),
      images: hosts.flatMap((host) => originOf(host) ?? []),
    };
    localStorage.setItem(STORED, JSON.stringify(chosen));
    sessionStorage.clear(); // Categories of the previous API.
    location.reload();
  });

  return {
    open() {
      field('api').value = api;
      field('key').value = key;
      field('images').value = images.join(' ');
      dialog.showModal();
    },
  };
}

/** @param {unknown} text */
function originOf(text) {
  if (typeof text !== 'string' || !URL.canParse(text)) return undefined;
  const { protocol, origin } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? origin : undefined;
}
