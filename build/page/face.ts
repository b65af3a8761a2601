import { readFileSync } from 'node:fs';
import { programFile } from '../../common/program-files.ts';

/** The CSS that all pages share: colours, fonts and spacing. */
export function readFace(): string {
  return readFileSync(programFile('build/page/face.css'), 'utf8');
}

/** The logo, as an SVG element. */
export function readMark(): string {
  return readFileSync(programFile('build/page/icon.svg'), 'utf8').trim();
}
