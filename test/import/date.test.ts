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
    // The three forms of RFC 9110 (5.6.7), and RFC 2822 (A.6).
    ['Sun, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37+00:00'],
    ['Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37+00:00'],
    ['Sun Nov  6 08:49:37 1994', '1994-11-06T08:49:37+00:00'],
    ['Thu, 13 Feb 1969 23:32 -0330 (Newfoundland (Time\\)))', '1969-02-13T23:32:00-03:30'],
    ['21 Nov 97 09:55:06 GMT', '1997-11-21T09:55:06+00:00'],
    ['Fri, 21 Nov 1997 09(comment):   55  :  06 -0600', '1997-11-21T09:55:06-06:00'],
    // What JavaScript, Go, Java or `date`, and Git write.
    ['Sat Mar 07 2015 10:00:00 GMT+0200 (Eastern European Time)', '2015-03-07T10:00:00+02:00'],
    ['2015-03-07 10:00:00.25 +0000 UTC', '2015-03-07T10:00:00+00:00'],
    ['2015-03-07 10:00:00 -0800 PST', '2015-03-07T10:00:00-08:00'],
    ['Sat Mar  7 10:00:00 CET 2015', '2015-03-07T10:00:00+01:00'],
    ['Sat Mar 7 10:00:00 2015 +0100', '2015-03-07T10:00:00+01:00'],
    ['7 Mar 2015 10:00:00 +0200 (EET)', '2015-03-07T10:00:00+02:00'],
    ['7 Jul 2015 10:00 MEST', '2015-07-07T10:00:00+02:00'],
    ['7 Jul 2015 10:00 bst', '2015-07-07T10:00:00+01:00'],
    // RFC 2822 (4.3): a zone that may mean several counts as UTC.
    ['2023-01-01 00:00:00 IST', '2023-01-01T00:00:00+00:00'],
    // RFC 2822 needs no space after the weekday; RFC 9557 adds the zone's name, and Go its clock.
    ['Sat,7 Mar 2015 10:00:00 +0200', '2015-03-07T10:00:00+02:00'],
    ['2015-03-07T10:00:00.25+02:00[Europe/Sofia]', '2015-03-07T10:00:00+02:00'],
    ['2015-03-07 10:00:00.25 +0200 EET m=+0.001', '2015-03-07T10:00:00+02:00'],
    ['March 7, 2015 at 10:00 p.m. EST', '2015-03-07T22:00:00-05:00'],
    ['Saturday, March 7, 2015 - 10:00', '2015-03-07T10:00:00+00:00'],
    ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59+00:00'],
  ])('reads %s', (written, date) => {
    expect(parseDate(written)).toBe(date);
  });

  it.each([
    ['words', 'soon'],
    ['nothing', ''],
    ['a day that does not exist', '2023-02-29'],
    ['a month that does not exist', '2023-13-01'],
    ['an hour that does not exist', '2023-01-01 24:00:00'],
    ['a second that does not exist', '2023-01-01 23:59:61'],
    ['an offset that no place has', '2023-01-01 00:00:00 +15:00'],
    ['words after the time', '2023-01-01 10:00 or later'],
    ['a comment that does not end', '2023-01-01 00:00:00 (UTC'],
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
