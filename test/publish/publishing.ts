import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SILENT } from '../../common/progress.ts';
import { Bucket } from '../../build/publish/bucket.ts';
import { BucketStorage } from '../../build/publish/bucket-storage.ts';
import type { PublishReport } from '../../build/publish/last-publish.ts';
import { publish, type PublishOptions } from '../../build/publish/publish.ts';
import { S3Client, type Transport } from '../../common/bucket/s3-client.ts';
import { parseTarget } from '../../common/bucket/target.ts';
import { editing, publish as buildOnce, shortBlog } from '../build/publishing.ts';
import { copyFolder } from '../build/copied-folder.ts';
import { temporaryFolder } from '../build/temporary-folder.ts';
import { CREDENTIALS } from '../service/bucket-credentials.ts';
import { insertPost } from '../service/odd-blog.ts';

/** A blog, its output, and functions to change it. */
export interface PublishedBlog {
  readonly db: string;
  readonly out: string;
  /** Writes a post with a category, an author and five tags, and builds. */
  addPost(slug: string): Promise<void>;
  build(): Promise<void>;
}

/** Folders with a generated blog and its output, by number of posts and seed. Tests copy them. */
const built = new Map<string, Promise<string>>();

async function buildTemplate(posts: number, seed: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'offprint-built-')); // A folder for the test run: test/temporary-files.ts.
  const db = join(folder, 'blog.db');
  shortBlog(db, posts, seed);
  await buildOnce(db, join(folder, 'out'));
  return folder;
}

/** A generated blog that has been built once. */
export async function builtBlog(posts: number, seed = 5): Promise<PublishedBlog> {
  const name = `${posts} ${seed}`;
  const template = built.get(name) ?? buildTemplate(posts, seed);
  built.set(name, template);
  const folder = temporaryFolder();
  copyFolder(await template, folder);
  const [db, out] = [join(folder, 'blog.db'), join(folder, 'out')];
  const build = async () => void (await buildOnce(db, out));
  return {
    db,
    out,
    build,
    async addPost(slug) {
      editing(db, (blog) => {
        const some = (table: string, column: string, limit: number) =>
          blog.prepare<[], string>(`SELECT ${column} FROM ${table} LIMIT ${limit}`).pluck().all();
        const [category = ''] = some('categories', 'slug', 1);
        const [author = ''] = some('authors', 'username', 1);
        const tags = some('tags', 'slug', 5);
        insertPost(blog, { slug, category, author, tags, publishedAt: '2026-09-20T10:00:00Z' });
      });
      await build();
    },
  };
}

/** Opens a bucket while `work` runs, with the local bucket's credentials. */
export async function inBucket<T>(
  endpoint: string,
  address: string,
  work: (bucket: Bucket) => Promise<T>,
  transport: Partial<Transport> = {},
): Promise<T> {
  const client = new S3Client(parseTarget(address, endpoint), CREDENTIALS, transport);
  try {
    return await work(new Bucket(client));
  } finally {
    await client.close();
  }
}

/** Publishes in this process. */
export function publishTo(
  endpoint: string,
  address: string,
  out: string,
  {
    transport,
    ...options
  }: Partial<Omit<PublishOptions, 'storage'>> & { readonly transport?: Partial<Transport> } = {},
): Promise<PublishReport> {
  return inBucket(
    endpoint,
    address,
    (bucket) => {
      const storage = new BucketStorage(bucket, out);
      return publish({ storage, connections: 16, full: false, progress: SILENT, ...options });
    },
    transport,
  );
}
