// Runs in every document of the reader's browser, before anything else: it is the canary, and looks at
// what has become of an article there. Plain JavaScript, since it goes to the browser as it is.

(() => {
  /** What ran although nothing may, in this document. */
  const sung = [];
  const tell = window.tell; // to the test, from frames too
  const told = (song) => {
    sung.push(song);
    tell?.(song);
  };
  const sing = (song) => () => {
    told(song);
    return true;
  };
  for (const name of ['alert', 'confirm', 'prompt', 'print', 'open', 'canary']) window[name] = sing(name);
  addEventListener('error', (event) => {
    // Images that are not there come here too; a script's failure alone has a message.
    if (event.message) told(`error: ${event.message}`);
  });
  // Links are followed by nobody here; what they lead to is looked at.
  addEventListener('click', (event) => event.preventDefault(), true);

  const EVENTS = ['click', 'mouseover', 'pointerover', 'focus', 'focusin', 'toggle', 'beforetoggle', 'load',
    'error', 'animationstart', 'transitionend', 'scroll', 'wheel', 'keydown', 'input', 'begin', 'play',
    'canplay', 'loadstart', 'cut', 'copy', 'contextmenu']; // prettier-ignore

  /** Why the elements under `root` are not what the policy allows; empty where they are. */
  function faultsIn(root, policy) {
    const faults = [];
    for (const element of root.querySelectorAll('*')) {
      const name = element.localName;
      const is = (fault) => faults.push(`<${name}> ${fault}`);
      if (element.namespaceURI !== 'http://www.w3.org/1999/xhtml') is('is of another language');
      if (!policy.tags.includes(name)) is('is not allowed');
      const may = [...policy.attributes['*'], ...(policy.attributes[name] ?? [])];
      for (const { name: attribute, value } of element.attributes) {
        if (!may.includes(attribute)) is(`has ${attribute}`);
        if (!policy.addresses.includes(attribute) || value.startsWith('#')) continue;
        // As the browser itself reads it.
        const url = URL.parse(value, 'https://relative.invalid/');
        if (url === null && /^https?:\/\//i.test(value)) continue; // It leads nowhere.
        const schemes = name === 'img' ? policy.schemesOfImages : policy.schemes;
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
        if (property === 'width' && parseFloat(set) > 100) is(`is wider than its box: ${set}`);
      }
    }
    return faults;
  }

  /** Puts HTML into the page as a script of the page would, touches all of it, and looks. */
  function insert(html, policy) {
    const faults = [];
    const box = document.createElement('div');
    document.body.append(box);
    box.innerHTML = html;
    faults.push(...faultsIn(box, policy));
    for (const element of box.querySelectorAll('*'))
      for (const type of EVENTS) element.dispatchEvent(new Event(type, { bubbles: true, cancelable: true }));
    // Printed and parsed again, as an editor does it: a mutation may make nothing new of it.
    const once = box.innerHTML;
    box.innerHTML = once;
    faults.push(...faultsIn(box, policy).map((fault) => `the second time ${fault}`));
    box.remove();
    return faults;
  }

  window.reader = { sung, faultsIn, insert };
})();
