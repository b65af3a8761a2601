/**
 * The exported files contain what the gateway answers, and nothing else.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Description, Describer, faultsIn } from '../../conformance/described.ts';
import { type Blog, boundsBlog, emptyBlog, oddBlog, sampleBlog } from '../../service/blogs.ts';
import { makeReply } from '../../service/client.ts';
import type { Service } from '../../service/home.ts';
import { inProcessHome } from '../../service/in-process-home.ts';
import { answerOf } from '../../service/in-process.ts';
import { codeBlocks, section } from '../../docs/documents.ts';
import { HOSTILE, named } from '../../service/odd-blog.ts';
import { compareWithGateway, type Crawled, followLinks } from '../crawl.ts';
import { filesIn } from '../exported-folder.ts';
import { HAS_NGINX, serveByNginx, serveFolder, type StaticHost } from '../static-host.ts';
import { lacks } from '../../lacks.ts';

const LIMITS = { day: { address: 1_000_000 }, minute: 1_000_000 };

/** A pattern of rclone: `*` stands for anything without a slash, `**` for anything. */
function rclonePattern(pattern: string): RegExp {
  const source = pattern
    .replaceAll('.', '\\.')
    .replace(/\{([^}]*)\}/g, (_, names: string) => `(?:${names.replaceAll(',', '|')})`)
    .replace(/\*\*?/g, (stars) => (stars === '**' ? '.*' : '[^/]*'));
  return new RegExp(`^${source}$`);
}

interface Exported {
  readonly service: Service;
  readonly folder: string;
  readonly host: StaticHost;
  readonly tree: Crawled;
  end(): Promise<void>;
}

async function exported(blog: Blog, perPage: number, serve = serveFolder): Promise<Exported> {
  const service = await inProcessHome.serve(blog, { limits: LIMITS });
  const folder = mkdtempSync(join(tmpdir(), 'offprint-export-'));
  await answerOf(['export', folder, '--out', join(service.folder, 'out'), '--per-page', String(perPage)]);
  const host = await serve(folder);
  return {
    service,
    folder,
    host,
    tree: new Map(await followLinks(host.url)),
    async end() {
      await host.end();
      await service.close();
      rmSync(folder, { recursive: true });
    },
  };
}

const BLOGS = [
  { name: 'odd', make: oddBlog, perPage: 7, least: 240 },
  { name: 'bounds', make: boundsBlog, perPage: 50, least: 200 },
  { name: 'empty', make: emptyBlog, perPage: 15, least: 6 },
] as const;

describe.each(BLOGS)('the tree of the $name blog', ({ make, perPage, least }) => {
  let blog: Exported;

  beforeAll(async () => (blog = await exported(await make(), perPage)));
  afterAll(() => blog?.end());

  it('has the data of every answer of the gateway', async () => {
    const { faults, compared } = await compareWithGateway(blog.service.url, blog.tree, perPage);
    expect(faults).toEqual([]);
    expect(compared).toBeGreaterThanOrEqual(least);
  });

  it('can be found completely by links, and has no other files', () => {
    const missing = [...blog.tree].filter(([, text]) => text.startsWith('STATUS'));
    expect(missing).toEqual([]);
    const others = ['.nojekyll', '_redirects', 'redirects.nginx.conf', 'index.html', 'openapi.json'];
    const answers = filesIn(blog.folder).filter(
      (path) => !others.includes(path) && !/^(?:docs|search)\//.test(path),
    );
    expect([...blog.tree.keys()].filter((path) => !others.includes(path)).sort()).toEqual(answers);
  });

  it('matches its description and the list on its page: every file, and no other kind', async () => {
    const source = blog.tree.get('openapi.json') ?? '';
    expect(await faultsIn(source)).toEqual([]);
    const description: Description = JSON.parse(source);
    const describer = new Describer(description);
    const answers = [...blog.tree].filter(([path]) => path.startsWith('v1/'));
    for (const [path, text] of answers) {
      describer.check({ path: `/${path}` }, makeReply(200, { 'content-type': 'application/json' }, text));
    }
    const overview: { data: { endpoints: string[] } } = JSON.parse(blog.tree.get('v1/index.json') ?? '');
    const described = Object.keys(description.paths).map((path) => `GET ${path}`);
    expect(overview.data.endpoints.toSorted()).toEqual(described.toSorted());
    const page = readFileSync(join(blog.folder, 'index.html'), 'utf8');
    const listed = [...page.matchAll(/<b>GET<\/b> <code>([^<]+)</g)].map(([, path]) => `GET ${path}`);
    expect(listed.toSorted()).toEqual(described.toSorted());
    expect(source).not.toMatch(/quota|Bearer|X-Api-Key|permission/i);
  });

  it('has names that are valid on every file system and in URLs', () => {
    const parts = filesIn(blog.folder).flatMap((path) => path.split('/'));
    for (const part of parts.filter((part) => part !== '.nojekyll')) {
      expect(part).toMatch(/^[a-z0-9_~-][a-z0-9._~-]*[a-z0-9_~-]$|^[a-z0-9_~-]$/);
      expect(part).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/);
      expect(part.length).toBeLessThanOrEqual(205);
    }
  });
});

describe('the tree of the odd blog', () => {
  let blog: Exported;

  beforeAll(async () => (blog = await exported(await oddBlog(), 15)));
  afterAll(() => blog?.end());

  // Clients keep these addresses.
  it('has the files that the documentation names', () => {
    const table = section('docs/owners/exporting.md', '## The files');
    const paths = [...table.matchAll(/`(v1\/[^`]+)`/g)].map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(10);
    const files = filesIn(blog.folder);
    const isThere = (path: string) => {
      const pattern = new RegExp(
        `^${path.replace(/SLUG|USERNAME/, '[^/]+')}${path.endsWith('/') ? '' : '$'}`,
      );
      return files.some((file) => pattern.test(file));
    };
    expect(paths.filter((path) => !isThere(path))).toEqual([]);
  });

  it('has nothing that is not published', () => {
    const all = filesIn(blog.folder).map((path) => readFileSync(join(blog.folder, path), 'utf8'));
    for (const slug of [named.draft, named.archived, named.future, named.scheduled]) {
      expect(all.filter((text) => text.includes(`"${slug}"`))).toEqual([]);
    }
    expect(blog.tree.get(`v1/post/${named.hostile}.json`)).not.toMatch(HOSTILE);
  });

  it('redirects from former slugs to files that exist, for each host', () => {
    const lines = readFileSync(join(blog.folder, '_redirects'), 'utf8').trim().split('\n');
    const moves = lines.map(
      (line) => /^\/(v1\/post\/[^/ ]+\.json) \/(v1\/post\/[^/ ]+\.json) 301$/.exec(line) ?? [],
    );
    expect(moves).toHaveLength(2); // Another article has the third former slug.
    for (const [, from = '', to = ''] of moves) {
      expect([blog.tree.has(from), blog.tree.has(to)]).toEqual([false, true]);
    }
    expect(readFileSync(join(blog.folder, 'redirects.nginx.conf'), 'utf8')).toBe(
      moves
        .map(
          ([, from, to]) =>
            `location = /${from} { absolute_redirect off; add_header Access-Control-Allow-Origin "*"; return 301 /${to}; }\n`,
        )
        .join(''),
    );
  });

  it('is uploaded to a bucket in an order in which no link leads to a missing file', () => {
    const [recipe] = codeBlocks(section('docs/owners/exporting.md', '### S3 buckets'));
    const commands = (recipe?.code ?? '').trim().split('\n');
    expect(commands.pop()).toBe("rclone sync public remote:bucket/blog-data --exclude '/.offprint/**'");
    const steps = commands.map((command) =>
      [...command.matchAll(/--include '([^']+)'/g)].map(([, pattern = '']) => rclonePattern(pattern)),
    );
    /** The number of the command that uploads a file. */
    const stepOf = (path: string) => {
      const step = steps.findIndex((patterns) => patterns.some((pattern) => pattern.test(`/${path}`)));
      return step < 0 ? steps.length : step;
    };
    const late: string[] = [];
    for (const [path, text] of blog.tree) {
      if (!path.startsWith('v1/')) continue;
      const { links = {} }: { links?: Record<string, string | string[] | null> } = JSON.parse(text);
      // "prev" and "first" lead back to where a reader comes from.
      const { prev, first, ...others } = links;
      for (const link of Object.values(others).flat()) {
        const to = link === null ? path : join(path, '..', link);
        if (stepOf(to) > stepOf(path)) late.push(`${path} is before ${to}`);
      }
    }
    expect(late).toEqual([]);
    const searched = filesIn(blog.folder).filter((path) => /^search\/(?:pages|suffixes)\//.test(path));
    for (const path of searched) expect(stepOf(path)).toBeLessThan(stepOf('search/index.json'));
    expect(searched.length).toBeGreaterThan(0);
    expect(stepOf('v1/tag/archive/newest.json')).toBe(stepOf('v1/tag/other/newest.json'));
  });

  it.skipIf(lacks('nginx', HAS_NGINX))('is served by nginx with redirects below its path', async () => {
    const host = await serveByNginx(blog.folder);
    const [line = ''] = readFileSync(join(blog.folder, '_redirects'), 'utf8').split('\n');
    const [from = '', to = ''] = line.split(' ');
    const { status, headers } = await fetch(host.url + from.slice(1), { redirect: 'manual' });
    const shown = ['location', 'access-control-allow-origin'].map((name) => headers.get(name));
    expect([status, ...shown]).toEqual([301, `/blog-data${to}`, '*']);
    expect((await fetch(host.url + from.slice(1))).status).toBe(200);
    await host.end();
  });

  it('has articles byte for byte, without links', () => {
    const text = blog.tree.get(`v1/post/${named.full}.json`) ?? '';
    expect(Object.keys(JSON.parse(text))).toEqual(['success', 'data']);
  });
});

describe('the tree of the sample blog', () => {
  it.skipIf(lacks('nginx', HAS_NGINX))(
    'is served by nginx under a path, with headers for caching and other origins',
    async () => {
      const blog = await exported(await sampleBlog(), 15, serveByNginx);
      const { faults } = await compareWithGateway(blog.service.url, blog.tree, 15);
      expect(faults).toEqual([]);
      const headersOf = async (path: string, init: RequestInit = {}) => {
        const { status, headers } = await fetch(blog.host.url + path, init);
        const shown = ['content-type', 'cache-control', 'access-control-allow-origin', 'etag'] as const;
        return [status, ...shown.map((name) => headers.get(name))];
      };
      const [status, type, caching, origin, etag] = await headersOf('v1/posts/newest.json');
      expect([status, type, caching, origin]).toEqual([200, 'application/json', 'public, max-age=60', '*']);
      const again = await headersOf('v1/posts/newest.json', { headers: { 'If-None-Match': String(etag) } });
      expect(again[0]).toBe(304);
      const [asset = ''] = readdirSync(join(blog.folder, 'docs'));
      expect((await headersOf(`docs/${asset}`))[2]).toBe('public, max-age=31536000, immutable');
      const scripts = [
        'search/search.js',
        ...readdirSync(join(blog.folder, 'docs')).map((name) => `docs/${name}`),
      ];
      for (const path of scripts.filter((name) => name.endsWith('.js'))) {
        const { headers } = await fetch(blog.host.url + path);
        const shown = [headers.get('content-encoding'), headers.get('vary')];
        expect(shown, path).toEqual(['gzip', 'Accept-Encoding']);
      }
      for (const [hidden, status] of [
        ['.git', 404],
        ['.well-known', 200],
      ] as const) {
        mkdirSync(join(blog.folder, hidden));
        writeFileSync(join(blog.folder, hidden, 'file'), 'mine');
        expect((await headersOf(`${hidden}/file`))[0], hidden).toBe(status);
      }
      expect((await headersOf('.offprint/export.json'))[0]).toBe(404);
      const missing = await headersOf('v1/post/none.json');
      expect([missing[0], missing[3]]).toEqual([404, '*']); // Otherwise a page of another origin sees no status.
      expect((await headersOf(''))[1]).toBe('text/html');
      await blog.end();
    },
  );
});
