import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { expanded } from '../../text-cases.ts';
import { named } from '../../service/odd-blog.ts';
import { failure } from '../shapes.ts';
import { PREFIX, type Cases } from './suite.ts';

/** The lines of statuses.txt with their headings, and one for each article that nobody may see. */
function lines(): { readonly heading: string; readonly line: string }[] {
  const file = readFileSync(new URL('statuses.txt', import.meta.url), 'utf8');
  const [, ...sections] = file.split(/^# /m);
  const hidden = [named.draft, named.archived, named.future, named.scheduled].map(
    (slug) => `404 ~/posts/${encodeURIComponent(slug)}`,
  );
  return [...sections, ['articles that nobody may see', ...hidden].join('\n')].flatMap((section) => {
    const [heading = '', ...all] = section.split('\n').filter((line) => line !== '');
    return all.map((line) => ({ heading, line }));
  });
}

/** The words of a line whose alternatives are resolved. */
function requestOf(line: string) {
  const [status = '', ...words] = line.split(' ');
  const takeIf = (form: RegExp) => (form.test(words[0] ?? '') ? words.shift() : undefined);
  const [method, who] = [takeIf(/^[A-Z]+$/), takeIf(/^[a-z]+$/)];
  const path = words.shift()?.replace('~', PREFIX) ?? '';
  return { status: Number.parseInt(status), isPlain: status.endsWith('='), method, who, path, names: words };
}

/** The status of each request, and what its answer names. The caller checks the rest of each answer. */
export const statuses: Cases = (stage, keys) => {
  describe('statuses', () => {
    test.each(lines())('$heading: $line', async ({ line }) => {
      for (const { status, isPlain, method, who, path, names } of expanded(line).map(requestOf)) {
        const key = Object.entries(keys()).find(([name]) => name === who)?.[1].key ?? who;
        const options = { ...(method && { method }), ...(key && { key }) };
        const reply = await stage().caller.getAbsolute(path, options);
        expect(reply.status, `${path}: ${reply.text}`).toBe(status);
        if (isPlain) {
          const plain = await stage().caller.getAbsolute(path.replace(/\?.*|\/$/, ''), options);
          expect(reply.text, path).toBe(plain.text);
        }
        if (status === 422) {
          const reasons = Object.entries(failure.parse(reply.json).errors ?? {});
          expect(reasons.flatMap(([name, why]) => why.map(() => name)).sort()).toEqual(names.toSorted());
        } else for (const name of names) expect(failure.parse(reply.json).message, path).toContain(name);
      }
    });
  });
};
