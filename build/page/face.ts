import { readFileSync } from 'node:fs';
import { programFile } from '../../common/program-files.ts';

/** What all pages share, as CSS: colours, letters, spaces. */
export function readFace(): string {
  return readFileSync(programFile('build/page/face.css'), 'utf8');
}

/** The mark, as an element of SVG. */
export function readMark(): string {
  return readFileSync(programFile('build/page/icon.svg'), 'utf8').trim();
}
