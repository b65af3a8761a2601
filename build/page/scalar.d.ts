/** The API reference, as its script (`scalar.js`) gives it to page.js. */
declare const Scalar: {
  createApiReference(place: HTMLElement, settings: Readonly<Record<string, unknown>>): void;
};
