import { read } from './documents.ts';

export const TEMPLATES = 'deploy/feeds';

/** The file of a template: `eleventy.mjs`. */
export function templateOf(file: string): string {
  return read(`${TEMPLATES}/${file}`);
}
