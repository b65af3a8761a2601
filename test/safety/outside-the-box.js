// Runs in every document of box.test.ts. Plain JavaScript, because it is sent to the browser unchanged.

/** Tolerance in pixels: a line may be slightly taller than its letters. */
const NEAR = 4;
/** The maximum number of places checked in an article. */
const MAX_PLACES = 300;

/**
 * Shows an article in its box, on pages with several layouts and directions. Returns the parts that react outside
 * of the box on each. It is parsed and loaded once; only the layout changes.
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
        if (places > MAX_PLACES) return found;
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

/** The centres of the visible parts of a rectangle outside of the box. */
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
