import Database from 'better-sqlite3';

/** An image or another file that posts refer to by number. */
export interface Attachment {
  readonly url: string;
  readonly alt: string;
  /** HTML. */
  readonly caption: string;
}

/**
 * Data that posts refer to and that may follow them in the file: attachments and patterns (blocks that several posts
 * share). They may not fit in memory, so SQLite keeps them in a temporary file, which is removed on close.
 *
 * `site` distinguishes blogs, since each counts its posts from 1.
 */
export interface Library {
  readonly addAttachment: (site: string, id: string, parent: string, attachment: Attachment) => void;
  readonly addPattern: (site: string, id: string, content: string) => void;
  readonly attachment: (site: string, id: string) => Attachment | null;
  /** The images that were uploaded to the post with this number, sorted by theirs. */
  readonly imagesOf: (site: string, parent: string) => readonly Attachment[];
  readonly pattern: (site: string, id: string) => string | null;
  readonly close: () => void;
}

export function openLibrary(): Library {
  const db = new Database('');
  // It does not outlive the process, so durability is not needed.
  db.pragma('journal_mode = OFF');
  db.pragma('cache_size = -4000');
  db.exec(`
    CREATE TABLE attachments (
      site TEXT, id TEXT, parent TEXT, url TEXT, alt TEXT, caption TEXT, PRIMARY KEY (site, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX attachments_of_post ON attachments (site, parent);
    CREATE TABLE patterns (site TEXT, id TEXT, content TEXT, PRIMARY KEY (site, id)) STRICT;
    BEGIN;
  `);
  const addAttachment = db.prepare('INSERT OR IGNORE INTO attachments VALUES (?, ?, ?, ?, ?, ?)');
  const addPattern = db.prepare('INSERT OR IGNORE INTO patterns VALUES (?, ?, ?)');
  const columns = 'url, alt, caption';
  const attachment = db.prepare<[string, string], Attachment>(
    `SELECT ${columns} FROM attachments WHERE site = ? AND id = ?`,
  );
  const attachmentsOf = db.prepare<[string, string], Attachment>(
    `SELECT ${columns} FROM attachments WHERE site = ? AND parent = ? ORDER BY CAST(id AS INTEGER)`,
  );
  const pattern = db
    .prepare<[string, string], string>('SELECT content FROM patterns WHERE site = ? AND id = ?')
    .pluck();
  return {
    addAttachment: (site, id, parent, { url, alt, caption }) =>
      void addAttachment.run(site, id, parent, url, alt, caption),
    addPattern: (site, id, content) => void addPattern.run(site, id, content),
    attachment: (site, id) => attachment.get(site, id) ?? null,
    imagesOf: (site, parent) =>
      attachmentsOf.all(site, parent).filter(({ url }) => /\.(?:jpe?g|png|gif|webp|avif|svg)$/i.test(url)),
    pattern: (site, id) => pattern.get(site, id) ?? null,
    close: () => db.close(),
  };
}
