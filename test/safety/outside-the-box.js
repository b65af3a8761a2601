// Runs in every document of box.test.ts. Plain JavaScript, since it goes to the browser as it is.

/** A line may be a little lower than its letters. */
const NEAR = 4;
/** So many places are looked at in an article. */
const MOST_PLACES = 300;

/**
 * Shows an article in its box, on pages that differ in their styles and direction, and says what of it is hit outside on
 * each. It is parsed and loaded once: only the layout is another.
 */
window.hitsOutside = async (html, pages) => {
  const box = document.getElementById('article');
  box.innerHTML = html;
  const images = [...box.querySelectorAll('img')].filter((image) => !image.complete);
  await Promise.all(images.map((image) => new Promise((done) => (image.onload = image.onerror = done))));
  return pages.map(({ css, direction }) => {
    document.documentElement.dir = direction;
    document.getElementById('layout').textContent = css;
    scrollTo(0, 0);
    return hitsOutside(box);
  });
};

function hitsOutside(box) {
  const edges = box.getBoundingClientRect();
  const found = { media: [], links: [], any: [] };
  let places = 0;
  for (const element of box.querySelectorAll('*')) {
    for (const rectangle of element.getClientRects()) {
      for (const [x, y] of placesOutside(rectangle, edges)) {
        places += 1;
        if (places > MOST_PLACES) return found;
        if (!document.elementsFromPoint(x, y).some((hit) => element.contains(hit))) continue;
        const what = `<${element.localName}> at ${Math.round(x)},${Math.round(y)}, box ${Math.round(edges.left)} to ${Math.round(edges.right)}`;
        found.any.push(what);
        if (element.matches('img, video, audio, iframe')) found.media.push(what);
        const link = element.closest('a[href]');
        if (link && box.contains(link)) found.links.push(what);
      }
    }
  }
  return found;
}

/** In the middle of each part of a rectangle that is outside, where the window shows it. */
function placesOutside({ left, right, top, bottom }, edges) {
  const [l, r] = [Math.max(left, 1), Math.min(right, innerWidth - 1)];
  const [t, b] = [Math.max(top, 1), Math.min(bottom, innerHeight - 1)];
  if (l >= r || t >= b) return [];
  const places = [];
  if (l < edges.left - NEAR) places.push([(l + Math.min(r, edges.left)) / 2, (t + b) / 2]);
  if (r > edges.right + NEAR) places.push([(Math.max(l, edges.right) + r) / 2, (t + b) / 2]);
  if (t < edges.top - NEAR) places.push([(l + r) / 2, (t + Math.min(b, edges.top)) / 2]);
  if (b > edges.bottom + NEAR) places.push([(l + r) / 2, (Math.max(t, edges.bottom) + b) / 2]);
  return places;
}
