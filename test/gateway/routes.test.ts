import { expect, test } from 'vitest';
import { readTarget } from '../../gateway/routes.ts';

const PREFIX = '/api/public/v1';

/** The interface's paths, as patterns; one trailing slash is ignored. */
const PATHS = {
  overview: '',
  me: '/me',
  posts: '/posts',
  post: '/posts/([^/]+)',
  changes: '/changes',
  categories: '/categories',
  tags: '/tags',
  authors: '/authors',
  author: '/authors/([^/]+)',
};

const RESTS = [
  ...[
    '',
    '/',
    '//',
    '/me',
    '/me/',
    '/me/x',
    '/posts',
    '/posts/',
    '/posts//',
    '/posts/a',
    '/posts/a/',
    '/posts/a//',
  ],
  ...[
    '/posts/a/b',
    '/posts//a',
    '/posts/%2F',
    '/posts/ä',
    '/tags/a',
    '/categories/',
    '/authors/a',
    '/authors/a/b',
    '/author',
  ],
  ...[
    'posts',
    'x/posts',
    '/Posts',
    '/constructor',
    '/__proto__',
    '/posts/__proto__',
    '/changes',
    '/changes/1',
    '/{slug}',
  ],
];

test.each([PREFIX, '/api/public/v2', '/zzz/public/v1', '', '/x/api/public/v1'])(
  'paths after "%s"',
  (prefix) => {
    for (const rest of RESTS) {
      for (const query of ['', '?', '?page=2', '?q=a/b', '?q=a?b']) {
        const path = prefix + rest;
        const found = Object.entries(PATHS).flatMap(([name, pattern]) => {
          const match = new RegExp(`^${PREFIX}${pattern}/?$`).exec(path);
          return match ? [{ endpoint: name, parameter: match[1] ?? '' }] : [];
        });
        const target = readTarget(path + query);
        expect(target, path + query).toMatchObject({
          ...(found[0] ?? { endpoint: null }),
          query: query.slice(1),
          isUnderPrefix: path === PREFIX || path.startsWith(`${PREFIX}/`),
        });
      }
    }
  },
);
