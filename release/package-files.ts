/** Patterns of files that the package has at the same paths as the checkout: read at run time, or by users. */
export const PACKAGE_FILES: readonly string[] = [
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'SECURITY.md',
  'docs/*.md',
  'docs/{consumers,owners,operators,contributors}/*.md',
  'docs/images/*.png',
  'docs/decisions/*.md',
  'deploy/{Caddyfile,Dockerfile,nginx.conf,offprint.service,offprint.socket,export/*,feeds/*,github/*,monitoring/*,many/*}',
  'build/page/{page.js,face.css,page.css,icon.svg}',
  'build/export/search/search.js',
  'data/schema.sql',
  'data/sample/**',
  'data/sample-files/**',
  'import/hugo/*.template',
  'import/jekyll/*.rb',
];

/** Entry points by their path in the package: the rest is bundled into them and into `chunks/`. */
export const ENTRIES: Readonly<Record<string, string>> = {
  'cli/main': 'cli/main.ts',
  'build/snapshot/render-thread': 'build/snapshot/render-thread.ts',
  'cli/admin/accounts-thread': 'cli/admin/accounts-thread.ts',
  // Tinypool expects its worker next to the file that it was bundled into.
  'chunks/entry/worker': 'node_modules/tinypool/dist/entry/worker.js',
};

/** Native packages, which npm installs. All others are bundled. */
export const INSTALLED: readonly string[] = ['better-sqlite3'];
