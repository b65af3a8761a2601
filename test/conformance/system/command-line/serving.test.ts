import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSampleBlog } from '../../../../cli/sample-blog.ts';
import { offprint } from '../../../service/command.ts';
import { answerOf } from '../../../service/in-process.ts';
import { startServer, type Server } from '../../../service/server-process.ts';
import { expectFailure, usePlace } from '../../command-line/place.ts';

const place = usePlace();

describe('start', () => {
  const db = place.path('started.db');
  let server: Server;
  beforeAll(async () => {
    await createSampleBlog(db, new Date());
    const files = ['--db', db, '--out', place.path('started')];
    const args = ['start', ...files, '--port', '0', '--cron', '* * * * * *'];
    server = await startServer(args, place.folder);
  });
  afterAll(() => server.end('SIGTERM'));

  test('reports a port that another service uses', async () => {
    const { port } = new URL(server.url);
    const files = ['--db', db, '--out', place.path('other')];
    await answerOf(['build', ...files]);
    expectFailure(await offprint(['serve', '--out', place.path('other'), '--port', port]), new RegExp(port));
  });

  test.each(['start', 'serve'])('a second "%s" reports which process uses the folder', async (command) => {
    const other = place.path('second.db');
    const args = [command, '--out', place.path('started')];
    if (command === 'start') args.push('--db', other);
    for (const port of ['0', new URL(server.url).port]) {
      const result = await offprint([...args, '--port', port]);
      expectFailure(result, /already serving from/);
      for (const text of [place.path('started'), server.url]) expect(result.stderr).toContain(text);
      expect(result.stderr).not.toContain('quota.db');
      expect(result.stdout).toBe('');
    }
    expect(existsSync(other)).toBe(false);
  });

  test('creates nothing if its port is in use', async () => {
    const { port } = new URL(server.url);
    for (const command of ['start', 'serve']) {
      const [db, out] = [place.path('taken.db'), place.path('taken')];
      const args = [command, '--out', out, '--port', port, ...(command === 'start' ? ['--db', db] : [])];
      const result = await offprint(args);
      expectFailure(result, command === 'start' ? new RegExp(`Port ${port} .*in use.*--port`) : /build/);
      expect(result.stdout).toBe('');
      expect([existsSync(db), existsSync(out)]).toEqual([false, false]);
    }
  });

  test('exits with 0 on a signal', async () => {
    expect(await server.end('SIGTERM'), server.log).toBe(0);
  });
});
