import { existsSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { offprintInProcess } from '../../../service/in-process.ts';
import { writeEmptyBlog } from '../../../service/odd-blog.ts';
import { expectFailure, usePlace } from '../../command-line/place.ts';

const place = usePlace();
const blog = place.path('blog.db');
const out = place.path('out');
const run = (...args: string[]) => offprintInProcess(args);

beforeAll(async () => {
  writeEmptyBlog(blog);
  expect(await run('build', '--db', blog, '--out', out)).toMatchObject({ code: 0 });
});

test('build prints one line', async () => {
  const { code, stdout } = await run('build', '--db', blog, '--out', out);
  expect([code, stdout.trimEnd().split('\n').length]).toEqual([0, 1]);
});

describe('wrong usage: exit code 2, and what to do on stderr', () => {
  test.each([
    [],
    ['bogus'],
    ['build', '--bogus'],
    ['import', 'markdown'],
    ['import', 'papyrus', '.'],
    ['keys'],
    ['keys', 'bogus'],
    ['keys', 'create', '--account', 'a'],
    ['keys', 'create', '--account', 'a', '--name', 'b', '--scopes', 'blog:write'],
    ['keys', 'revoke'],
    ['serve', '--port', '65536'],
    ['start', '--cron', 'every now and then'],
  ])('%s %s %s', async (...args) => {
    const { code, stdout, stderr } = await run(...args);
    expect(code, stderr).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(stderr.trim()).not.toBe('');
  });

  test.each([['--help'], ['keys', 'create', '--help'], ['--version']])(
    'help and version are no error: %s %s %s',
    async (...args) => {
      const { code, stdout } = await run(...args);
      expect(code).toBe(0);
      expect(stdout.trim()).not.toBe('');
    },
  );
});

describe('settings', () => {
  const withSettings = async (text: string, command: string[] = ['build']) => {
    const config = place.path('settings.json');
    writeFileSync(config, text);
    return run(...command, '--db', blog, '--out', out, '--config', config);
  };

  test.each([
    ['{"sight":{}}', /sight/],
    ['{"limits":{"dya":{"user":5}}}', /limits\.dya/],
    ['{"site":{"paths":{"posts":"/{slug}"}}}', /site\.paths\.posts/],
    ['{"__proto__":{"a":1}}', /__proto__/],
    ['{', /JSON/],
    ['[]', /settings\.json/],
    ['{"limits":{"minute":"30"}}', /limits\.minute/],
    ['{"limits":{"day":{"user":-1}}}', /limits\.day\.user/],
    ['{"trusted_proxies":-1}', /trusted_proxies/],
    ['{"site":{"url":"blog.example"}}', /site\.url/],
    ['{"site":{"paths":{"post":"/posts/"}}}', /site\.paths\.post: must contain \{slug\}/],
    ['{"site":{"paths":{"post":"posts/{slug}"}}}', /site\.paths\.post: must begin with \//],
    [
      '{"site":{"paths":{"post":"/{lang}/{slug}"}}}',
      /site\.paths\.post: has no placeholder \{lang\}; .*\{year\}/,
    ],
    ['{"site":{"paths":{"tag":"/{year}/{slug}"}}}', /site\.paths\.tag: has no placeholder \{year\}/],
    ['{"site":{"excerpts":"no"}}', /site\.excerpts/],
    ['{"import":[{"format":"word","path":"x"}]}', /import\.0\.format: must be one of markdown/],
    ['{"import":[{"format":"markdown"}]}', /import\.0\.path/],
  ])('an unknown key or an invalid value is named: %s', async (text, says) => {
    expectFailure(await withSettings(text), says);
  });

  test('a given file must exist, and may be an empty object', async () => {
    expectFailure(await run('build', '--db', blog, '--config', place.path('none.json')), /none\.json/);
    expect((await withSettings('{}')).code).toBe(0);
  });

  test('start needs a valid schedule', async () => {
    expectFailure(await withSettings('{"cron":"every now and then"}', ['start', '--port', '0']), /cron/);
  });
});

test.each(['revoke', 'rotate'])('%s of a key that does not exist', async (command) => {
  const args = ['keys', command, 'opk_AAAAAAAA', '--db', blog, '--out', out, '--json'];
  expectFailure(await run(...args), /opk_AAAAAAAA/);
});

test('the keys of a database that is missing: it is named, and not created', async () => {
  expectFailure(await run('keys', 'list', '--db', place.path('missing.db')), /missing\.db/);
  const rotate = ['keys', 'rotate', 'opk_1a2B3c4D', '--json', '--out', out];
  expectFailure(await run(...rotate, '--db', place.path('missing.db')), /missing\.db/);
  expect(existsSync(place.path('missing.db'))).toBe(false);
});
