import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UploadJournal } from '../../build/publish/journal.ts';
import { temporaryFolder } from '../build/temporary-folder.ts';

const target = { endpoint: 'https://host', bucket: 'blog', prefix: 'a/' };
const [POST, PAGE, SET] = [
  'objects/post/aa/1.json',
  'objects/page/aa/2.json',
  'objects/set/aa/3.json',
] as const;

/** Opens the journal, adds entries, and exits without closing it. */
function note(out: string, condition: string | null, ...paths: string[]): void {
  const { journal } = UploadJournal.open(out, target, condition);
  for (const path of paths) journal.note(path);
  journal.close();
}

const uploadedIn = (out: string, condition: string | null, where = target) => {
  const { journal, uploaded } = UploadJournal.open(out, where, condition);
  journal.close();
  return [...uploaded];
};

test('remembers uploads under the same pointer to the same place', () => {
  const out = temporaryFolder();
  note(out, '"1"', POST);
  note(out, '"1"', PAGE, SET);
  expect(uploadedIn(out, '"1"', { ...target, prefix: 'b/' })).toEqual([]);
  expect(uploadedIn(out, '"1"', { ...target, endpoint: 'https://other' })).toEqual([]);
  expect(uploadedIn(out, '"1"')).toEqual([POST, PAGE, SET]);
});

test('is cleared when the pointer changes, even if it changes back', () => {
  const out = temporaryFolder();
  note(out, '"1"', POST);
  expect(uploadedIn(out, '"2"')).toEqual([]);
  expect(uploadedIn(out, '"1"')).toEqual([]);
});

test('ignores a truncated line', () => {
  const out = temporaryFolder();
  note(out, null, POST);
  const [file = ''] = readdirSync(join(out, 'state'));
  const path = join(out, 'state', file);
  const whole = readFileSync(path, 'utf8');
  appendFileSync(path, PAGE);
  expect(uploadedIn(out, null)).toEqual([POST]);
  for (let length = 0; length < whole.length; length++) {
    writeFileSync(path, whole.slice(0, length));
    expect(uploadedIn(out, null)).toEqual([]);
  }
});

test('uses lines after a truncated one', () => {
  const out = temporaryFolder();
  note(out, null, POST);
  const [file = ''] = readdirSync(join(out, 'state'));
  appendFileSync(join(out, 'state', file), PAGE.slice(0, 9));
  note(out, null, SET);
  expect(uploadedIn(out, null)).toEqual([POST, SET]);
});

test('is removed after the publish', () => {
  const out = temporaryFolder();
  const { journal } = UploadJournal.open(out, target, null);
  journal.note(POST);
  journal.remove();
  expect(readdirSync(join(out, 'state'))).toEqual([]);
});
