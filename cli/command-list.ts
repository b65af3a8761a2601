/** What each command does, in the order of help, which loads no command. */
export const COMMAND_LIST = {
  start: 'build, serve, and rebuild on change; without a database, serve a sample blog',
  serve: 'serve the published snapshot',
  build: 'build the snapshot once',
  publish: 'upload the published snapshot to a bucket',
  export: 'export the API as plain files, for any static host',
  import: 'import a blog into the database; without a path, all blogs in offprint.json',
  withdraw: 'remove an article immediately from the API, kept snapshots, buckets and exported files',
  accounts: 'list, show, set and remove accounts and their plans',
  keys: 'create, list, revoke and rotate API keys',
  status: 'show what is served, how old it is, and what failed',
  doctor: 'check this installation, and suggest fixes',
  counts: 'create the PostgreSQL tables for counting across processes',
  usage: 'show requests by account and day',
  snapshots: 'list, roll back, verify and prune snapshots',
  backup: 'back up articles, accounts and keys to one file',
  restore: 'replace the database with a backup',
} as const;

export type CommandName = keyof typeof COMMAND_LIST;

export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(COMMAND_LIST, name);
}
