import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { AddressRefused } from '../../import/errors.ts';
import { download } from '../../import/sources/http.ts';

test('a download that never ends is cancelled, even if data keeps arriving', async () => {
  const server = createServer((_, response) => {
    const dribbling = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(dribbling));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
  const url = `http://127.0.0.1:${address.port}/feed`;
  const wholeBody = async () => {
    const { body } = await download(url, { accept: '*/*', maxBytes: 1_000_000, totalMs: 500 });
    for await (const chunk of body) expect(chunk.length).toBeGreaterThan(0);
  };
  const failure = await wholeBody().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(AddressRefused);
  expect(failure).toMatchObject({ message: expect.stringContaining('it takes too long') });
});
