/** The global that `scalar.js` defines for page.js. */
declare const Scalar: {
  createApiReference(place: HTMLElement, settings: Readonly<Record<string, unknown>>): void;
};
