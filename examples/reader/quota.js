import { byId } from './element.js';
import { formatNumber, formatTime } from './format.js';

/** The limit of callers without a limit. */
const NO_LIMIT = 2_147_483_647;

/**
 * The gauge at the top: today's remaining quota. Answers from the browser's cache have old counts, so within a day only
 * higher counts are shown.
 *
 * @returns {(quota: import('./api.js').Quota) => void}
 */
export function quotaGauge() {
  const gauge = byId('quota');
  const meter = /** @type {HTMLElement} */ (gauge.querySelector('[role=meter]'));
  const fill = /** @type {HTMLElement} */ (meter.firstElementChild);
  const words = /** @type {HTMLElement} */ (gauge.querySelector('.words'));
  /** @type {import('./api.js').Quota | null} */
  let last = null;

  return (quota) => {
    const { limit, used, remaining, reset } = quota;
    if (last && last.reset === reset && last.limit === limit && used < last.used) return;
    last = quota;
    if (limit === NO_LIMIT) {
      gauge.hidden = true;
      return;
    }
    const left = `${formatNumber(remaining)} of ${formatNumber(limit)}`;
    gauge.hidden = false;
    gauge.title = `${left} requests left; counted again from ${formatTime(reset)}`;
    gauge.dataset.level = remaining === 0 ? 'none' : remaining < limit / 5 ? 'low' : 'fine';
    meter.setAttribute('aria-valuemin', '0');
    meter.setAttribute('aria-valuemax', String(limit));
    meter.setAttribute('aria-valuenow', String(remaining));
    meter.setAttribute('aria-valuetext', left);
    fill.style.scale = `${limit === 0 ? 0 : remaining / limit} 1`;
    words.textContent = `${formatNumber(remaining)} left`;
  };
}
