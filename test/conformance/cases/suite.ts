import { PREFIX } from '../caller.ts';
import type { Keys, Stage } from '../stage.ts';

/** Test cases are functions of a stage, so that every home passes the same ones. */
export type Cases = (stage: () => Stage, keys: () => Keys) => void;

/** A path of every endpoint, below the prefix, on the odd blog. */
export const ENDPOINTS = [
  '',
  '/me',
  '/posts',
  '/posts/everything-set',
  '/changes',
  '/categories',
  '/tags',
  '/authors',
  '/authors/ada',
] as const;

/** Endpoints whose answers may be cached. */
export const DATA_ENDPOINTS = ENDPOINTS.filter((path) => path !== '/me');

export { PREFIX };
