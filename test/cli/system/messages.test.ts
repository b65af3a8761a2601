/** What commands say at their end: what is so now, and the next step. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeFailure } from '../../../cli/failure.ts';
import { objectHash } from '../../../common/object-hash.ts';
import { ObjectUnreadable } from '../../../gateway/snapshot/objects.ts';
import { startOffprint } from '../../build/offprint-process.ts';
import { blogPaths, temporaryFolder } from '../../build/temporary-folder.ts';
import { offprintInProcess } from '../../service/in-process.ts';

/** A folder with posts, of which some are drafts, and a database and an output next to it. */
function blogOf(count: number) {
  const { folder: home, db, out } = blogPaths();
  const folder = join(home, 'posts');
  mkdirSync(folder);
  const write = (drafts: number): void => {
    for (let i = 0; i < count; i += 1) {
      const front = `title: Post ${i}\ndate: 2024-01-01\ndraft: ${i < drafts}`;
      writeFileSync(join(folder, `${i}.md`), `---\n${front}\n---\nText\n`);
    }
  };
  write(0);
  const run = async (...args: readonly string[]) => {
    const isImport = args[0] === 'import';
    const files = ['--out', out, ...(isImport ? ['--db', db] : [])];
    const { stdout, stderr } = await offprintInProcess([...args, ...files]);
    return stdout + stderr;
  };
  const importAll = (...more: readonly string[]) => run('import', 'markdown', folder, ...more);
  return { home, folder, db, out, write, run, importAll };
}

describe('import', () => {
  it('ends with the command that publishes, unless nothing has changed or was written', async () => {
    const { folder, db, importAll } = blogOf(3);
    const first = await importAll();
    expect(first).toMatch(/Publish it: .*build --db \S+\nA running "start" does so within a minute\.\n$/);
    expect(first).toContain(`build --db ${db}\n`);
    expect(await importAll()).toMatch(/\nNothing has changed\.\n$/);
    writeFileSync(join(folder, 'b.md'), '---\ntitle: One: two\n---\n');
    expect(await importAll('--strict')).not.toMatch(/Publish it|Nothing has changed/);
  });

  it('names each post by its file, in one spelling, and the first that is left out once more at the end', async () => {
    const { folder, importAll } = blogOf(3);
    writeFileSync(join(folder, 'x.md'), '---\ntitle: One: two\n---\n');
    writeFileSync(join(folder, 'y.md'), '---\ntitle: A\ntitle: B\n---\n');
    for (const name of ['z.md', 'zz.md'])
      writeFileSync(join(folder, name), '---\ntitle: Z\ndate: 2024-01-02\ndraft: true\n---\n');
    const printed = await importAll('--site', 'https://a.example');
    const reason =
      'x.md: its YAML is broken in line 2: Nested mappings are not allowed in compact mappings; put the whole value of "title" in quotes';
    expect(printed).toContain(`left out ${reason}\n`);
    expect(printed).toContain(`2 left out (${reason})\n`);
    expect(printed).not.toContain('markdown:');
    expect(printed).toContain('\nhidden 2: 2 drafts\n');
  });
});

describe('a build with fewer posts than before', () => {
  it('says how many, once, and what to do; so does status', async () => {
    const { db, write, run, importAll } = blogOf(40);
    const built = () => run('build', '--db', db);
    await importAll();
    expect(await built()).not.toContain('fewer');
    write(17);
    await importAll();
    const note = /17 posts fewer than before\. If this is a mistake, go back with "snapshots rollback ID"/;
    expect(await built()).toMatch(note);
    expect(await run('status')).toMatch(note);
    expect(await built()).not.toContain('fewer');
    write(0);
    await importAll();
    expect(await built()).not.toContain('fewer');
  });
});

describe('start', () => {
  const started = (args: readonly string[], cwd: string) => {
    const running = startOffprint(['start', '--port', '0', ...args], { cwd });
    onTestFinished(async () => void (await running.end('SIGTERM')));
    return running;
  };

  it('does not tell to publish what it publishes itself, and logs a loss of posts', async () => {
    const { home, folder } = blogOf(5);
    const running = started(['--import', 'markdown', folder, '--cron', '* * * * * *'], home);
    await running.printed('Ctrl-C stops');
    expect(running.stdout).toContain('found 5: 5 published');
    expect(running.stdout).not.toMatch(/Publish it|"build"/);
    const draft = join(home, 'draft.md');
    writeFileSync(draft, '---\ntitle: Post 0\ndate: 2024-01-01\ndraft: true\n---\nText\n');
    renameSync(draft, join(folder, '0.md'));
    await running.printed(/^\S+ \S+Z note: 1 post fewer than before\./m);
  });

  it('logs that an import fails, once, and that it works again', async () => {
    const { home, folder } = blogOf(3);
    const running = started(['--import', 'markdown', folder, '--cron', '* * * * * *'], home);
    await running.printed('Ctrl-C stops');
    renameSync(folder, `${folder}-away`);
    await running.printed(/not imported: markdown \S+posts: There is no folder/);
    renameSync(`${folder}-away`, folder);
    await running.printed(/imported markdown \S+posts: nothing changed/);
    expect(running.stderr.match(/not imported:/g)).toHaveLength(1);
  });

  it('has the time on each line of its log, and names the sample that it creates', async () => {
    const running = started([], temporaryFolder());
    await running.printed('Ctrl-C stops');
    const [log = ''] = running.stdout.split('\n\n');
    expect(log).toMatch(/created a sample blog: data\/blog\.db\n.*published snapshot/);
    for (const line of log.split('\n')) expect(line).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ \w/);
  });
});

it('too many open files damage no object, and are no bug', () => {
  const cause = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
  for (const error of [cause, new ObjectUnreadable('body', objectHash(''), 'cannot be read', { cause })])
    expect(describeFailure(error)).toMatch(/^Too many files are open\. Allow more/);
});
