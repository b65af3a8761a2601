/** A picture of a `srcset`. */
export interface Candidate {
  readonly address: string;
  /** `400w`, `2x`; empty: none. */
  readonly descriptor: string;
  /** Its width in pixels, or its density; 1 without a descriptor. */
  readonly size: number;
}

const SPACE = /[\t\n\f\r ]/;
const WIDTH = /^(?:0*[1-9]\d*h )?(0*[1-9]\d*)w(?: 0*[1-9]\d*h)?$/;
const DENSITY = /^((?:\d+|\d*\.\d+)(?:[eE][+-]?\d+)?)x$/;

/**
 * The candidates of a `srcset`, as the HTML Standard parses it ("parse a srcset attribute"): addresses may contain commas,
 * and candidates with a wrong descriptor are left out.
 */
export function parseSrcset(text: string): Candidate[] {
  const candidates: Candidate[] = [];
  let at = 0;
  const skip = (isPart: (character: string) => boolean): string => {
    const start = at;
    while (at < text.length && isPart(text.charAt(at))) at += 1;
    return text.slice(start, at);
  };
  for (;;) {
    skip((character) => character === ',' || SPACE.test(character));
    if (at === text.length) return candidates;
    const written = skip((character) => !SPACE.test(character));
    let length = written.length;
    while (written.charAt(length - 1) === ',') length -= 1;
    let isInside = false;
    const isDescriptor = (character: string): boolean => {
      if (character === (isInside ? ')' : '(')) isInside = !isInside;
      return isInside || character !== ',';
    };
    // A comma at its end belongs to no URL: then there is no descriptor.
    const words = length < written.length ? [] : skip(isDescriptor).split(SPACE).filter(Boolean);
    const descriptor = words.join(' ');
    const size = descriptor === '' ? '1' : (WIDTH.exec(descriptor) ?? DENSITY.exec(descriptor))?.[1];
    if (size !== undefined)
      candidates.push({ address: written.slice(0, length), descriptor, size: Number(size) });
  }
}
