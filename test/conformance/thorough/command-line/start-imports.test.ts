/**
 * `start` with imports that fail, hang, or have a wrong name.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { send } from '../../../service/client.ts';
import { offprint } from '../../../service/command.ts';
import { answerOf, offprintInProcess } from '../../../service/in-process.ts';
import { type Server, startServer } from '../../../service/server-process.ts';
import { PREFIX } from '../../caller.ts';
import { usePlace } from '../../command-line/place.ts';

const place = usePlace();

const STATUS = z.object({
  results: z.array(z.object({ subject: z.string(), report: z.unknown() })),
  problems: z.array(z.object({ what: z.string(), message: z.string() })),
});

/** A blog of one post in a folder, and the options that separate its files from others. */
function blogAt(name: string) {
  const folder = place.path(name);
  mkdirSync(folder);
  writeFileSync(`${folder}/a.md`, '---\ntitle: A\ndate: 2020-01-01\n---\nText.\n');
  const [db, out, config] = [place.path(`${name}.db`), place.path(`${name}.out`), place.path(`${name}.json`)];
  const files = ['--db', db, '--out', out, '--config', config];
  return {
    folder,
    db,
    out,
    config,
    files,
    writeImports: (...imports: readonly object[]) =>
      writeFileSync(config, JSON.stringify({ import: imports })),
    readImports: (): unknown => JSON.parse(readFileSync(config, 'utf8')).import,
    status: async () =>
      STATUS.parse(JSON.parse((await offprintInProcess(['status', '--out', out, '--json'])).stdout)),
    start: async (...more: readonly string[]): Promise<Server> => {
      // The schedule is yearly, so nothing is triggered by time.
      const args = ['start', ...files, '--port', '0', '--cron', '0 0 1 1 *', ...more];
      const server = await startServer(args, place.folder);
      onTestFinished(async () => void (await server.end('SIGTERM')));
      return server;
    },
    startFails: (...more: readonly string[]) => offprint(['start', ...files, '--port', '0', ...more]),
  };
}

describe('start with a published snapshot', () => {
  test('serves it while an import hangs, which status reports', async () => {
    const { folder, files, writeImports, start, status, out } = blogAt('hangs');
    writeImports({ format: 'markdown', path: folder });
    await answerOf(['build', ...files]);
    const server = createServer((_, response) => {
      const dribbling = setInterval(() => response.write(' '), 100);
      response.on('close', () => clearInterval(dribbling));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void server.close());
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
    const feed = `http://127.0.0.1:${address.port}/feed.json`;
    writeImports({ format: 'markdown', path: folder }, { format: 'feed', path: feed });
    const { url } = await start();
    expect((await send(url, { path: `${PREFIX}/posts/a` })).status).toBe(200);
    await expect
      .poll(async () => (await status()).results.find(({ subject }) => subject === `feed ${feed}`)?.report)
      .toMatchObject({ running: { since: expect.any(String) } });
    expect((await offprintInProcess(['status', '--out', out])).stdout).toMatch(
      new RegExp(`^importing   feed ${feed} for \\d+ (?:second|minute)s?$`, 'm'),
    );
  });

  test("imports after it has started to serve, and logs an engine's output in lines without colours", async () => {
    const { folder, files, writeImports, start } = blogAt('lines');
    writeImports({ format: 'markdown', path: folder });
    await answerOf(['build', ...files]);
    const site = place.path('lines-site');
    mkdirSync(site);
    writeFileSync(`${site}/hugo.toml`, 'title = "A"\n');
    const engine = place.path('failing-hugo');
    const says =
      "[ \"$1\" = version ] && echo 'hugo v0.140.0' && exit\nprintf 'one\\n\\033[31mtwo\\033[0m\\n'";
    writeFileSync(engine, `#!/bin/sh\n${says}\nexit 1\n`, { mode: 0o755 });
    writeImports({ format: 'markdown', path: folder }, { format: 'hugo', path: site, engine });
    writeFileSync(`${folder}/b.md`, '---\ntitle: B\ndate: 2020-01-02\n---\nText.\n');
    const server = await start();
    await expect.poll(() => server.log).toContain('switched to snapshot');
    expect((await send(server.url, { path: `${PREFIX}/posts/b` })).status).toBe(200);
    await expect.poll(() => server.log).toMatch(/not imported: hugo .*\n\S+ \S+Z one\n\S+ \S+Z two\n/);
    expect(server.log).not.toContain('\\u{');
  });
});

describe('start --import', () => {
  test('adds nothing if the import fails, and leaves no database', async () => {
    const { folder, config, db, startFails } = blogAt('fails');
    const { code, stderr } = await startFails('--import', 'wordpress', `${folder}/typo.xml`);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/There is no export at .*typo\.xml.*\n.*configuration is unchanged/s),
    });
    expect([existsSync(config), existsSync(db)]).toEqual([false, false]);
  });

  test('recognises the format, says so, writes it down, and asks no second time', async () => {
    const { folder, readImports, start } = blogAt('unnamed');
    const server = await start('--import', folder);
    expect(server.log).toContain(`recognised ${folder}: a folder of Markdown (format markdown)\n`);
    expect(readImports()).toEqual([{ format: 'markdown', path: 'unnamed' }]);
    await server.end('SIGTERM');
    writeFileSync(`${folder}/hugo.toml`, '');
    expect((await start('--import', folder)).log).not.toContain('recognised');
  });

  test('that fails keeps the other entries, and status reports no fault', async () => {
    const { folder, files, writeImports, readImports, startFails, status } = blogAt('stays');
    writeImports({ format: 'markdown', path: folder });
    await answerOf(['build', ...files]);
    const before = await status();
    const { code } = await startFails('--import', 'hugo', folder);
    expect(code).toBe(1);
    expect(readImports()).toEqual([{ format: 'markdown', path: folder }]);
    expect(await status()).toEqual(before);
  });

  test('replaces entries of the same folder with another format, and keeps their rules', async () => {
    const { folder, files, writeImports, readImports, start } = blogAt('replaced');
    const other = { format: 'markdown', path: 'replaced-other' };
    mkdirSync(place.path('replaced-other'));
    writeFileSync(place.path('replaced-other/o.md'), '---\ntitle: O\ndate: 2020-01-02\n---\nText.\n');
    writeImports(
      { format: 'hugo', path: folder, name: 'blog', section: ['posts'] },
      { format: 'jekyll', path: folder },
      other,
    );
    const { url, log } = await start('--import', 'markdown', folder);
    expect(log).toMatch(/ also following, from "import" of .*\.json: \S*replaced-other\n/);
    expect(readImports()).toEqual([other, { format: 'markdown', path: 'replaced', name: 'blog' }]);
    expect((await send(url, { path: `${PREFIX}/posts/a` })).status).toBe(200);
    expect(await answerOf(['import', ...files])).toEqual([
      { format: 'markdown', path: place.path('replaced-other') },
      { format: 'markdown', path: folder },
    ]);
  });
});
