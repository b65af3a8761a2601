// Runs first in every document of the reader's browser: it is the canary, and checks the article there. Plain
// JavaScript, because it is sent to the browser unchanged.

(() => {
  const tell = window.tell;
  /** Tells the test what ran, from frames too; nothing may. */
  const report = (what) => tell?.(what);
  const recorder = (what) => () => {
    report(what);
    return true;
  };
  for (const name of ['alert', 'confirm', 'prompt', 'print', 'open', 'canary']) window[name] = recorder(name);
  addEventListener('error', (event) => {
    // Failed images also arrive here; only script errors have a message.
    if (event.message) report(`error: ${event.message}`);
  });
  // Links are not followed; their targets are checked.
  addEventListener('click', (event) => event.preventDefault(), true);

  const EVENTS = ['click', 'mouseover', 'pointerover', 'focus', 'focusin', 'toggle', 'beforetoggle', 'load',
    'error', 'animationstart', 'transitionend', 'scroll', 'wheel', 'keydown', 'input', 'begin', 'play',
    'canplay', 'loadstart', 'cut', 'copy', 'contextmenu']; // prettier-ignore

  /** Violations of the policy in the elements under `root`; empty: none. */
  function faultsIn(root, policy) {
    const faults = [];
    for (const element of root.querySelectorAll('*')) {
      const name = element.localName;
      const is = (fault) => faults.push(`<${name}> ${fault}`);
      const isFormula = element.namespaceURI === 'http://www.w3.org/1998/Math/MathML';
      if (!isFormula && element.namespaceURI !== 'http://www.w3.org/1999/xhtml') is('is of another language');
      if (!(isFormula ? policy.formulas : policy.tags).includes(name)) is('is not allowed');
      const may = [...policy.attributes['*'], ...(policy.attributes[name] ?? [])];
      for (const { name: attribute, value } of element.attributes) {
        if (!may.includes(attribute)) is(`has ${attribute}`);
        if (!policy.addresses.includes(attribute) || value.startsWith('#')) continue;
        // As the browser has parsed it.
        const url = URL.parse(value, 'https://relative.invalid/');
        if (url === null && /^https?:\/\//i.test(value)) continue; // It has no target.
        const schemes = policy.schemesByTag[name] ?? policy.schemes;
        if (!schemes.includes(url?.protocol.slice(0, -1) ?? '')) is(`leads to ${value}`);
        if (url?.hostname === 'relative.invalid') is(`has the relative address ${value}`);
        if (url?.protocol === 'data:' && !/^data:image\//i.test(value)) is(`is no image: ${value}`);
        if (name === 'iframe' && !policy.embeds.some((player) => player.split('/')[0] === url?.host))
          is(`embeds ${value}`);
      }
      if (name === 'iframe' && element.getAttribute('sandbox') !== policy.frames.sandbox)
        is('has no sandbox');
      for (const property of element.style ?? []) {
        if (!policy.styles.some((one) => property === one || property.startsWith(`${one}-`)))
          is(`has the style ${property}`);
        const set = element.style.getPropertyValue(property);
        if (/url|\(.*\(|var|expression|attr/i.test(set)) is(`has the style ${property}: ${set}`);
      }
    }
    return faults;
  }

  /** Inserts HTML into the page like a script of the page, accesses all of it, and checks it. */
  function insert(html, policy) {
    const faults = [];
    const box = document.createElement('div');
    document.body.append(box);
    box.innerHTML = html;
    faults.push(...faultsIn(box, policy));
    for (const element of box.querySelectorAll('*'))
      for (const type of EVENTS) element.dispatchEvent(new Event(type, { bubbles: true, cancelable: true }));
    // Serialised and parsed again, like in an editor: mutations may not change its meaning.
    const once = box.innerHTML;
    box.innerHTML = once;
    faults.push(...faultsIn(box, policy).map((fault) => `the second time ${fault}`));
    box.remove();
    return faults;
  }

  window.reader = { faultsIn, insert };
})();
