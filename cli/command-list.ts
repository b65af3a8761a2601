/** Descriptions and arguments of the commands, in the order of help, which loads no command. */
export const COMMAND_LIST = {
  start: { does: 'build, serve, and rebuild on change; without a database, serve a sample blog', takes: [] },
  serve: { does: 'serve the published snapshot', takes: [] },
  build: { does: 'build the snapshot once', takes: [] },
  publish: { does: 'upload the published snapshot to a bucket', takes: [] },
  export: { does: 'write the whole API as plain files, for any static host', takes: ['<folder>'] },
  import: {
    does: 'import a blog into the database; without a path, those that offprint.json names',
    takes: ['[format]', '[path...]'],
  },
  withdraw: {
    does: 'remove an article at once from the API, kept snapshots, buckets and exported files',
    takes: ['<slug>'],
  },
  accounts: { does: 'list, show, set and remove accounts and their plans', takes: ['[command]'] },
  keys: { does: 'create, list, revoke and rotate API keys', takes: ['[command]'] },
  status: { does: 'show what is served, how old it is, and what failed', takes: [] },
  doctor: { does: 'find out what is wrong with this installation, and what to do', takes: [] },
  counts: { does: 'make the tables for counts of several processes', takes: ['[command]'] },
  usage: { does: 'show requests by account and day', takes: [] },
  snapshots: { does: 'list, roll back, verify and prune snapshots', takes: ['[command]'] },
  backup: { does: 'copy articles, accounts and keys into one file', takes: ['<file>'] },
  restore: { does: 'put a backup in place of the database', takes: ['<file>'] },
} as const;

export type CommandName = keyof typeof COMMAND_LIST;

export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(COMMAND_LIST, name);
}
