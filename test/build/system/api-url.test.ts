import { expect, test } from 'vitest';
import * as v from 'valibot';
import { build, isBuildDue } from '../../../build/build.ts';
import { CONFIG } from '../../../cli/settings.ts';
import { writeEmptyBlog } from '../../service/odd-blog.ts';
import { directoryOf } from '../output.ts';
import { buildOptions } from '../publishing.ts';
import { blogPaths } from '../temporary-folder.ts';

test('the public address of the service is part of the snapshot, so changing it causes a build', async () => {
  const { db, out } = blogPaths();
  writeEmptyBlog(db);
  const options = (apiUrl: string | null = null) => buildOptions(db, out, { apiUrl });
  const published = () => directoryOf(out).site;
  const { snapshot } = await build(options());
  expect(published()).not.toHaveProperty('api_url');
  expect(isBuildDue(options())).toBe(false);
  expect(isBuildDue(options('https://api.example'))).toBe(true);
  await build(options('https://api.example'));
  expect(published().api_url).toBe('https://api.example');
  expect(isBuildDue(options('https://api.example'))).toBe(false);
  expect(isBuildDue(options())).toBe(true);
  expect((await build(options())).snapshot).toBe(snapshot);
});

const read = (address: unknown) => v.safeParse(CONFIG, { api_url: address });

test.each([
  ['https://api.example', 'https://api.example'],
  ['https://api.example/', 'https://api.example'],
  ['http://127.0.0.1:8787', 'http://127.0.0.1:8787'],
  ['https://[2001:db8::1]/', 'https://[2001:db8::1]'],
  ['https://example.com/blog-api/', 'https://example.com/blog-api'],
  ['HTTPS://Bücher.example/ä<b>', 'https://xn--bcher-kva.example/%C3%A4%3Cb%3E'],
])('api_url may be %s', (address, used) => {
  expect(read(address)).toMatchObject({ success: true, output: { api_url: used } });
});

test.each([
  '',
  'api.example',
  '//api.example',
  'ftp://api.example',
  'https://',
  'https://api.example?',
  'https://api.example/?a=b',
  'https://api.example/#top',
  'https://ada:secret@api.example',
  'https://api.example/a b',
  ' https://api.example',
  'https://api.example/api/public/v1',
  7,
])('api_url may not be %s', (address) => {
  expect(read(address).success).toBe(false);
});
