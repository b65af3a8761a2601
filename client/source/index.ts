export type * from './api-types.ts';
export { type Client, createClient, type Page, type PostsFilter } from './client.ts';
export { OffprintError } from './error.ts';
export type { CallOptions, ClientOptions, Fetch } from './options.ts';
export type { State, Store, Synced } from './sync.ts';
