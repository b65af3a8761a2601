import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { expanded } from '../../text-cases.ts';
import { named } from '../../service/odd-blog.ts';
import { failure } from '../shapes.ts';
import { PREFIX, type Cases } from './suite.ts';

interface Line {
  readonly heading: string;
  readonly text: string;
  readonly status: number;
  readonly isPlain: boolean;
  readonly method: string | undefined;
  readonly who: 'guess' | 'authors' | undefined;
  readonly target: string;
  readonly names: readonly string[];
}

/** The lines of statuses.txt, and one for each article that nobody may see. */
function lines(): Line[] {
  const file = readFileSync(new URL('statuses.txt', import.meta.url), 'utf8');
  const [, ...sections] = file.split(/^# /m);
  const all = sections.flatMap((section) => {
    const [heading = '', ...texts] = section.split('\n').filter((text) => text !== '');
    return texts.map((text) => ({ heading, text }));
  });
  for (const slug of [named.draft, named.archived, named.future, named.scheduled])
    all.push({ heading: 'hidden articles', text: `404 ~/posts/${encodeURIComponent(slug)}` });
  return all.map(({ heading, text }) => {
    const found = /^(\d+)(=?)(?: ([A-Z]+|\{[A-Z|]+\}))?(?: (guess|authors))? ([~/]\S*)((?: [\w.]+)*)$/.exec(
      text,
    );
    if (!found) throw new Error(`statuses.txt has the line "${text}".`);
    const [, status, plain, method, who, target = '', names = ''] = found;
    return {
      ...{
        heading,
        text,
        status: Number(status),
        isPlain: plain === '=',
        method,
        target: target.replace('~', PREFIX),
      },
      ...{ who: who === 'guess' || who === 'authors' ? who : undefined, names: names.split(' ').slice(1) },
    };
  });
}

/** The status of each request, and what its answer names. The caller checks the rest of each answer. */
export const statuses: Cases = (stage, keys) => {
  describe('statuses', () => {
    test.each(lines())('$heading: $text', async ({ status, isPlain, method, who, target, names }) => {
      const key = who === 'authors' ? keys().authors.key : who;
      for (const way of method === undefined ? ['GET'] : expanded(method)) {
        for (const path of expanded(target)) {
          const options = { method: way, ...(key === undefined ? {} : { key }) };
          const reply = await stage().caller.getAbsolute(path, options);
          expect(reply.status, `${path}: ${reply.text}`).toBe(status);
          if (isPlain) {
            const plain = await stage().caller.getAbsolute(path.replace(/\?.*/, ''), options);
            expect(reply.text, path).toBe(plain.text);
          }
          if (status === 400)
            for (const name of names) expect(failure.parse(reply.json).message, path).toContain(name);
          if (status !== 422) continue;
          const reasons = Object.entries(failure.parse(reply.json).errors ?? {});
          expect(reasons.flatMap(([name, why]) => why.map(() => name)).sort(), path).toEqual(
            names.toSorted(),
          );
        }
      }
    });
  });
};
