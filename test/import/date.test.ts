import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openForWriting } from '../../data/database.ts';
import { parseDate } from '../../common/content/date.ts';

describe('parseDate', () => {
  it.each([
    ['2015-03-17', '2015-03-17T00:00:00+00:00'],
    ['2017-2-5', '2017-02-05T00:00:00+00:00'],
    ['2015/03/17', '2015-03-17T00:00:00+00:00'],
    ['2015-03-17 10:11', '2015-03-17T10:11:00+00:00'],
    ['2013-07-25 09:08:38 +0200', '2013-07-25T09:08:38+02:00'],
    ['2016-04-19 10:26:16 -0700', '2016-04-19T10:26:16-07:00'],
    ['2010-01-10 13:07:09 +00:00', '2010-01-10T13:07:09+00:00'],
    ['2020-03-03T14:29:41+08:00', '2020-03-03T14:29:41+08:00'],
    ['2020-03-03T14:29:41.250Z', '2020-03-03T14:29:41+00:00'],
    ['2001-12-14 21:59:43.10 -5', '2001-12-14T21:59:43-05:00'],
    ['2020-01-01 08:00:00 UTC', '2020-01-01T08:00:00+00:00'],
    ['2020-01-01 1:05 PM', '2020-01-01T13:05:00+00:00'],
    ['2020-01-01 12:05 am EST', '2020-01-01T00:05:00-05:00'],
    ['Tue, 17 Mar 2015 10:00:00 GMT', '2015-03-17T10:00:00+00:00'],
    ['March 7th, 2015', '2015-03-07T00:00:00+00:00'],
    ['7 Sept 2015', '2015-09-07T00:00:00+00:00'],
    ['2024-02-29T00:00:00-00:00', '2024-02-29T00:00:00+00:00'],
  ])('reads %s', (written, date) => {
    expect(parseDate(written)).toBe(date);
  });

  it.each([
    ['words', 'soon'],
    ['nothing', ''],
    ['a day that does not exist', '2023-02-29'],
    ['a month that does not exist', '2023-13-01'],
    ['an hour that does not exist', '2023-01-01 24:00:00'],
    ['a second that does not exist', '2023-01-01 23:59:60'],
    ['an offset that no place has', '2023-01-01 00:00:00 +15:00'],
    ['a zone that may mean several', '2023-01-01 00:00:00 IST'],
    ['the year twice', '2023-01-29 18:30:22 2023 -0800'],
    ['a name of no month', '7 Foo 2015'],
  ])('rejects %s', (_what, written) => {
    expect(parseDate(written)).toBeNull();
  });

  it('returns dates that the database accepts, for the same moment', () => {
    const db = openForWriting(':memory:');
    const insert = db.prepare(
      "INSERT INTO posts (slug, title, status, published_at) VALUES ('a', 'a', 'published', ?)",
    );
    const unix = db.prepare<[string], number>('SELECT unixepoch(?)').pluck();
    const day = fc.date({ min: new Date('0100-01-01'), max: new Date('9990-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(day, fc.integer({ min: -14 * 60 + 1, max: 14 * 60 - 1 }), (moment, offset) => {
        const local = new Date(moment.getTime() + offset * 60_000).toISOString().slice(0, 19);
        const size = Math.abs(offset);
        const zone = `${String(Math.floor(size / 60)).padStart(2, '0')}${String(size % 60).padStart(2, '0')}`;
        const date = parseDate(`${local.replace('T', ' ')} ${offset < 0 ? '-' : '+'}${zone}`);
        expect(date).not.toBeNull();
        insert.run(date);
        db.exec('DELETE FROM posts');
        expect(unix.get(date ?? '')).toBe(Math.floor(moment.getTime() / 1000));
      }),
    );
    db.close();
  });
});
