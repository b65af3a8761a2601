/** Files of the checkout that the package has in the same places, by patterns: read while it runs, or by its users. */
export const PACKAGE_FILES: readonly string[] = [
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'docs/*.md',
  'deploy/{Caddyfile,nginx.conf,offprint.service,monitoring/*}',
  'build/page/{page.js,page.css,icon.svg}',
  'build/export/search/search.js',
  'data/schema.sql',
  'data/migrations/*.sql',
  'data/sample/**',
  'data/sources/*.sql',
  'data/import/hugo/*.template',
  'data/import/jekyll/*.rb',
];

/** Modules that are run by their path, by name: the rest is bundled into them and into `chunks/`. */
export const ENTRIES: Readonly<Record<string, string>> = {
  'cli/main': 'cli/main.ts',
  'build/render-thread': 'build/render-thread.ts',
  'data/import/engine/cleaner': 'data/import/engine/cleaner.ts',
  // Tinypool looks for its thread next to the file that it was bundled into.
  'chunks/entry/worker': 'node_modules/tinypool/dist/entry/worker.js',
};

/** Packages that are installed, since they are native. All others are built in. */
export const INSTALLED: readonly string[] = ['better-sqlite3'];
