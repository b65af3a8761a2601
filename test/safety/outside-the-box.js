// Runs in every document of box.test.ts. Plain JavaScript, because it is sent to the browser unchanged.

/** Tolerance in pixels: a line may be slightly taller than its letters. */
const NEAR = 4;
/** The maximum number of places checked for the elements of an article. */
const MAX_PLACES = 300;

/**
 * Shows an article in its box, on pages with several layouts and directions. Returns the parts that react outside
 * of the box on each, and whether the article widens the box. It is parsed and loaded once; only the layout changes.
 */
window.hitsOutside = async (html, pages) => {
  const box = document.getElementById('article');
  box.replaceChildren();
  const widths = pages.map((page) => edgesIn(page, box).width);
  box.innerHTML = html;
  const images = [...box.querySelectorAll('img')].filter((image) => !image.complete);
  await Promise.all(images.map((image) => new Promise((done) => (image.onload = image.onerror = done))));
  return pages.map((page, at) => {
    const edges = edgesIn(page, box);
    const wider = edges.width > widths[at] + 1 ? [`wider: ${edges.width}, empty ${widths[at]}`] : [];
    return [...wider, ...hitsOutside(box, edges)];
  });
};

function edgesIn({ css, direction }, box) {
  document.documentElement.dir = direction;
  document.getElementById('layout').textContent = css;
  scrollTo(0, 0);
  return box.getBoundingClientRect();
}

function hitsOutside(box, edges) {
  const found = new Set();
  const look = (x, y, element) => {
    const hit = document.elementsFromPoint(x, y).find((one) => element.contains(one) && one !== box);
    if (hit)
      found.add(`<${hit.localName}> at ${Math.round(x)},${Math.round(y)}, box ${Math.round(edges.left)} to ${Math.round(edges.right)}`); // prettier-ignore
  };
  const places = [...box.querySelectorAll('*')].flatMap((element) =>
    [...element.getClientRects()]
      .flatMap((rectangle) => placesOutside(rectangle, edges))
      .map(([x, y]) => [x, y, element]),
  );
  for (const [x, y, element] of places.slice(0, MAX_PLACES)) look(x, y, element);
  // Markers of lists have no rectangle.
  for (const x of [edges.left - 24, edges.left - 8, edges.right + 8, edges.right + 24])
    for (let y = edges.top + 8; y < Math.min(edges.bottom, innerHeight); y += 8) look(x, y, box);
  return [...found].slice(0, 3);
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
