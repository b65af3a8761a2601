import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { confirm } from '../../cli/confirm.ts';

/** Asks at a terminal, where a person types something, or ends the input. */
async function answered(typed: string | null, isTTY = true): Promise<[boolean, string]> {
  const [input, output] = [new PassThrough(), new PassThrough()].map((stream) =>
    Object.assign(stream, { isTTY }),
  );
  if (!input || !output) throw new Error('no streams');
  const asked = confirm('Trust \u202e?', input, output);
  if (typed === null) input.end();
  else input.write(typed);
  const answer = await asked;
  return [answer, String(output.read() ?? '')];
}

test.each([
  ['y\r', true],
  ['YES\r', true],
  ['n\r', false],
  ['\r', false],
  ['yesterday\r', false],
  ['\u0003', false],
  [null, false],
])('the answer %j is %s', async (typed, expected) => {
  expect((await answered(typed))[0]).toBe(expected);
});

test('a question is escaped, and not asked without a terminal', async () => {
  expect((await answered('y\r'))[1]).toContain('Trust \\u{202e}? [y/N] ');
  expect(await answered('y\r', false)).toEqual([false, '']);
});
