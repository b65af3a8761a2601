/**
 * Plans, accounts and keys that expire, by the command line: what is refused, and what the gateway's files say.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseExpiry } from '../../../cli/expiry.ts';
import { parseKeyRecord } from '../../../contract/key-record.ts';
import { editing } from '../../build/publishing.ts';
import { blogPaths } from '../../build/temporary-folder.ts';
import { generateBlog } from '../../../bench/generate/blog.ts';
import { offprint } from '../../service/command.ts';
import { answerOf, offprintInProcess } from '../../service/in-process.ts';
import { createdKeySchema, recordOf as keyRecordOf } from '../../service/key-commands.ts';

const DAY_MS = 86_400_000;

/** A built blog with the plan `partner`. */
async function blogWithPlans() {
  const { folder, db, out } = blogPaths();
  const config = join(folder, 'offprint.json');
  const files = ['--db', db, '--out', out, '--config', config];
  const setLimits = (limits: object) => writeFileSync(config, JSON.stringify({ limits }));
  generateBlog(db, { posts: 3, seed: 1 });
  setLimits({ day: { partner: 500 } });
  const build = () => offprintInProcess(['build', ...files]);
  await build();
  const run = (...args: readonly string[]) => offprintInProcess([...args, ...files]);
  const ask = (...args: readonly string[]) => answerOf([...args, ...files]);
  /** Commands that read only the output. */
  const runOut = (...args: readonly string[]) =>
    offprintInProcess([...args, '--out', out, '--config', config]);
  const create = async (...args: readonly string[]) =>
    createdKeySchema.parse(await ask('keys', 'create', '--account', 'ada', '--name', 'site', ...args));
  const recordOf = (key: string) => keyRecordOf(out, key);
  return { db, out, files, setLimits, build, run, runOut, ask, create, recordOf };
}

describe('a plan', () => {
  test('is given to a new account, changed for all its keys, and told by `accounts`', async () => {
    const { create, ask, recordOf } = await blogWithPlans();
    const first = await create('--plan', 'partner');
    const second = await create();
    expect(recordOf(first.key).plan).toBe('partner');
    expect(recordOf(second.key).plan).toBe('partner');
    const set = await ask('accounts', 'set', 'ADA', '--plan', 'user');
    expect(set).toEqual({ name: 'ada', plan: 'user', before: 'partner' });
    expect([first, second].map(({ key }) => recordOf(key).plan)).toEqual(['user', 'user']);
    expect(await ask('accounts', 'list')).toEqual([{ name: 'ada', plan: 'user', keys: 2 }]);
    expect(await ask('accounts', 'show', 'ada')).toMatchObject({
      name: 'ada',
      plan: 'user',
      used: { today: 0, month: 0 },
      days: [],
      keys: [{ prefix: first.prefix, expires_at: null }, { prefix: second.prefix }],
    });
  });

  test('that the configuration names no longer stops the build, until nobody has it', async () => {
    const { create, setLimits, build, run, ask, db } = await blogWithPlans();
    await create('--plan', 'partner');
    setLimits({ minute: 60 });
    const given = await run('accounts', 'set', 'eve', '--plan', 'partner');
    expect([given.code, given.stderr]).toEqual([1, expect.stringContaining('lacks the plan "partner".')]);
    const { code, stderr } = await build();
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /limits\.day in the configuration lacks the plan "partner" of the account "ada"\. Nothing was changed\. .*accounts set NAME --plan user"/,
    );
    const plans = editing(db, (blog) => blog.prepare('SELECT plan FROM accounts').pluck().all());
    expect(plans).toEqual(['partner']);
    await ask('accounts', 'set', 'ada', '--plan', 'user');
    expect((await build()).code).toBe(0);
  });

  test.each([
    [{ day: { partner: -1 } }, /limits\.day\.partner.*must be a whole number from 1 to 1000000000/],
    [{ day: { partner: '5' } }, /limits\.day\.partner/],
    [{ day: { Partner: 5 } }, /limits\.day.*has the plan "Partner"/],
    [{ day: { 'a b': 5 } }, /has the plan "a b"/],
    [{ day: { constructor: 5 } }, /has the plan "constructor"/],
    [
      { day: { adress: 5 } },
      /limits\.day: has the plan "adress", but not "address"\. Correct the name, or set both/,
    ],
    [{ minute: { users: 5 } }, /limits\.minute: has the plan "users", but not "user"/],
    [{ minutes: 5 }, /there is no setting limits\.minutes \(did you mean "minute"\?\)\. See docs\/conf/],
    [{ day: ['user'] }, /limits\.day: must be an object/],
    [{ minute: { partner: 5 } }, /limits: has the plan "partner" in minute, but not in day/],
  ])('that cannot be read is a clear error: %j', async (limits, message) => {
    const { setLimits, build } = await blogWithPlans();
    setLimits(limits);
    const { code, stderr } = await build();
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
  });

  test('other limits of an earlier snapshot are named by a rollback, with who is affected', async () => {
    const { create, setLimits, build, runOut } = await blogWithPlans();
    const list = async () => (await runOut('snapshots', 'list', '--json')).stdout;
    const earlier = /"snapshot":"([^"]+)"/.exec(await list())?.[1] ?? '';
    setLimits({ day: { partner: 900, gold: 5000 } });
    await build();
    await create('--plan', 'gold');
    const { code, stderr } = await runOut('snapshots', 'rollback', earlier);
    expect(code).toBe(1);
    expect(stderr).toContain(
      'limits.day.partner 900 → 500; limits.day.gold 5000 → 100, as user. This affects the account "ada". Nothing was changed.',
    );
    expect(await list()).toContain('"held":false');
    expect((await runOut('snapshots', 'rollback', earlier, '--force')).code).toBe(0);
  });
});

describe('a key that expires', () => {
  test('has its end in the record, in the list, and in `status` within 14 days', async () => {
    const { create, run, runOut, ask, recordOf } = await blogWithPlans();
    const later = await create('--expires', '2099-01-01');
    expect(later.expires_at).toBe('2099-01-01T00:00:00Z');
    expect(recordOf(later.key).expires).toBe(Date.UTC(2099, 0, 1));
    expect((await run('keys', 'list')).stdout).not.toContain('within 14 days');
    const before = Date.now();
    const soon = await create('--expires', '13d');
    expectBetween(Date.parse(soon.expires_at ?? '') - 13 * DAY_MS, before, Date.now());
    for (const command of [['keys', 'list'], ['status']]) {
      const { stdout } = await (command[0] === 'status' ? runOut : run)(...command);
      expect(stdout.replaceAll(/\s+/g, ' '), command.join(' ')).toContain(
        `A key expires within 14 days: ${soon.prefix} of "ada" on `,
      );
      expect(stdout).not.toContain(`${later.prefix} of`);
    }
    expect(await ask('keys', 'list')).toMatchObject([
      { prefix: later.prefix },
      { expires_at: soon.expires_at },
    ]);
  });

  test('is replaced by one with the same end; the old one works on for the grace, at most to its end', async () => {
    const { create, run, ask, recordOf } = await blogWithPlans();
    const old = await create('--expires', '2099-01-01');
    const before = Date.now();
    const rotated = createdKeySchema.parse(await ask('keys', 'rotate', old.prefix, '--grace', '7d'));
    expect(rotated.expires_at).toBe('2099-01-01T00:00:00Z');
    const { revoked, expires = 0 } = recordOf(old.key);
    expect(revoked).toBe(false);
    expectBetween(expires - 7 * DAY_MS, before, Date.now());
    const short = await create('--expires', '1d');
    const end = recordOf(short.key).expires;
    await ask('keys', 'rotate', short.prefix, '--grace', '7d');
    expect(recordOf(short.key).expires).toBe(end);
    await ask('keys', 'rotate', rotated.prefix);
    expect(recordOf(rotated.key).revoked).toBe(true);
    const again = await run('keys', 'rotate', short.prefix, '--json');
    expect(again.stderr).toContain('was already replaced by');
    expect((await run('keys', 'list')).stdout).not.toContain('within 14 days: ' + old.prefix);
    const last = await create('--expires', '1d');
    const longer = await ask('keys', 'rotate', last.prefix, '--expires', '2098-01-01');
    expect(longer).toMatchObject({ expires_at: '2098-01-01T00:00:00Z' });
  });

  test('cannot end in the past, or at what is no time', () => {
    const wrong = ['2020-01-01', '2027-02-30', '90', '0d', '-1d', 'soon', '2027-01-01T00:00:00', '1d '];
    for (const time of [...wrong, '2027-13-01', '+010000-01-01', '10000-01-01', '9999-12-31T23:59:59-01:00'])
      expect(parseExpiry(time, new Date())).toMatch(/^is (?:in the past|not a time|after the year 9999)/);
    expect(parseExpiry('99999d', new Date())).toBeInstanceOf(Date);
  });
});

test('accounts that another program inserted are shown and removed by their names', async () => {
  const { create, db, ask } = await blogWithPlans();
  await create();
  editing(db, (blog) =>
    blog.exec("INSERT INTO accounts (name, folded, plan) VALUES ('Hand', 'hand', 'admin')"),
  );
  expect(await ask('accounts', 'show', 'hand')).toMatchObject({ name: 'Hand', plan: 'admin', keys: [] });
  expect(await ask('accounts', 'remove', 'hand', '--yes')).toEqual({ name: 'Hand', revoked: [] });
});

describe('`accounts remove`', () => {
  test('asks, revokes all keys, and the account goes on under its name', async () => {
    const { create, run, ask, recordOf } = await blogWithPlans();
    const { key } = await create('--plan', 'partner');
    const asked = await run('accounts', 'remove', 'ada');
    expect(asked.code).toBe(2);
    expect(asked.stderr).toContain('Add --yes');
    expect(recordOf(key).revoked).toBe(false);
    expect(await ask('accounts', 'remove', 'ada', '--yes')).toMatchObject({ name: 'ada' });
    expect(recordOf(key).revoked).toBe(true);
    expect(await ask('accounts', 'list')).toEqual([]);
    for (const command of ['show', 'remove'])
      expect((await run('accounts', command, 'ada', '--json')).stderr).toContain('There is no account "ada"');
    const again = createdKeySchema.parse(await ask('keys', 'create', '--account', 'Ada', '--name', 'again'));
    // The count belongs to this name.
    expect(recordOf(again.key)).toMatchObject({ account: 'ada', plan: 'user', revoked: false });
    expect(recordOf(key).revoked).toBe(true);
  });
});

test('two programs that change one account at once lose nothing', async () => {
  const { out, ask, files: places } = await blogWithPlans();
  const files = [...places, '--json'];
  const results = await Promise.all(
    Array.from({ length: 6 }, (_, i) =>
      i % 2 === 0
        ? offprint(['keys', 'create', '--account', 'ada', '--name', `n${i}`, ...files])
        : offprint(['accounts', 'set', 'ada', '--plan', i === 3 ? 'partner' : 'admin', ...files]),
    ),
  );
  for (const { code, stderr } of results) expect(code, stderr).toBe(0);
  const account = await ask('accounts', 'show', 'ada');
  expect(account).toMatchObject({ name: 'ada', keys: [{}, {}, {}] });
  const plan = /"plan":"(\w+)"/.exec(JSON.stringify(account))?.[1];
  const records = readdirSync(join(out, 'keys')).map((file) =>
    parseKeyRecord(readFileSync(join(out, 'keys', file), 'utf8')),
  );
  expect(records.map((record) => record.plan)).toEqual([plan, plan, plan]);
});

/** Whether a moment, in whole seconds, is between two others. All in Unix milliseconds. */
function expectBetween(moment: number, from: number, to: number): void {
  expect(moment).toBeGreaterThan(from - 1000);
  expect(moment).toBeLessThanOrEqual(to + 1000);
}
