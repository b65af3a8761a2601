export type * from './api-types.ts';
export { type Client, createClient, type Page } from './client.ts';
export { OffprintError } from './error.ts';
export type { CallOptions, ClientOptions, Fetch } from './options.ts';
export type * from './selection.ts';
export type { CopiedPost, State, Store, Synced } from './sync.ts';
