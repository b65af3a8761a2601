/** Error messages: what failed, and what to do. */
import { element } from './element.js';
import { formatWait } from './format.js';
import { OffprintError } from './offprint-client.js';

/** Up to this wait, in seconds, the reader counts down and retries. */
const WATCHED_S = 120;

/**
 * @param {unknown} error
 * @param {{ signal: AbortSignal, again: () => void, openSettings: () => void }} actions
 */
export function describeFault(error, { signal, again, openSettings }) {
  if (!(error instanceof OffprintError)) {
    console.error(error);
    return fault('Something went wrong in this page', 'Try again, or reload the page.', [
      button('Try again', again),
    ]);
  }
  const { status, message, retryAfter } = error;
  const reasons = Object.values(error.reasons).flat();
  const settings = button('Settings', openSettings);
  const retry = button('Try again', again);
  if (status === 429) return tooMany(message, retryAfter ?? 0, { signal, again, settings });
  if (status === 0)
    return fault('No connection', `${message} Is it running, and is its address right?`, [retry, settings]);
  if (status === 401) return fault('The key is not valid', message, [settings]);
  if (status === 403) return fault('The key lacks a permission', message, [settings]);
  if (status === 404)
    return fault('Not found', message, [element('a', { href: './', class: 'button' }, 'All articles')]);
  if (status === 400 || status === 422) {
    const home = element('a', { href: './', class: 'button' }, 'All articles');
    return fault('The request is not valid', reasons.length > 0 ? reasons.join(' ') : message, [home]);
  }
  return fault('The API is in trouble', message, [retry]);
}

/**
 * @param {string} message
 * @param {number} wait in seconds
 * @param {{ signal: AbortSignal, again: () => void, settings: HTMLElement }} actions
 */
function tooMany(message, wait, { signal, again, settings }) {
  const watched = wait <= WATCHED_S;
  const clock = element('span', { class: 'clock', 'aria-hidden': true }, formatWait(wait));
  const made = fault(
    'A short break',
    watched ? 'Too many requests were sent. The next one is sent automatically in' : message,
    [watched && clock, !watched && button('Try again', again), settings],
  );
  if (watched) {
    const until = Date.now() + wait * 1000;
    const timer = setInterval(() => {
      const left = Math.ceil((until - Date.now()) / 1000);
      clock.textContent = formatWait(Math.max(0, left));
      if (left > 0) return;
      clearInterval(timer);
      again();
    }, 1000);
    signal.addEventListener('abort', () => clearInterval(timer));
  }
  return { ...made, announcement: message };
}

/**
 * @param {string} title
 * @param {string} words
 * @param {(HTMLElement | false)[]} actions
 */
function fault(title, words, actions) {
  return {
    title,
    announcement: `${title}. ${words}`,
    content: [
      element(
        'section',
        { class: 'notice' },
        element('h1', { tabindex: -1 }, title),
        element('p', { dir: 'auto' }, words),
        element('p', { class: 'buttons' }, ...actions),
      ),
    ],
  };
}

/**
 * @param {string} label
 * @param {() => void} press
 */
function button(label, press) {
  const made = element('button', { type: 'button' }, label);
  made.addEventListener('click', press);
  return made;
}
