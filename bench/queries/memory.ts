import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const OFFPRINT = fileURLToPath(new URL('../../cli/offprint.mjs', import.meta.url));

/**
 * The peak memory of `serve`, in MB, after it has answered every query several times.
 *
 * @param queries of `GET /posts`; the limits of the published snapshot must allow this many
 */
export async function memoryOfServe(out: string, queries: readonly string[]): Promise<number> {
  const child = spawn(
    process.execPath,
    ['--max-semi-space-size=4', OFFPRINT, 'serve', '--out', out, '--port', '0'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let printed = '';
      child.once('exit', () => reject(new Error(`serve ended: ${printed}`)));
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
        const address = /http:\/\/[\d.]+:\d+/.exec(printed)?.[0];
        if (address !== undefined) resolve(address);
      });
    });
    for (let round = 0; round < 3; round++) {
      for (const query of queries) {
        const reply = await fetch(`${url}/api/public/v1/posts?${query}`);
        if (!reply.ok) throw new Error(`${query}: ${reply.status} ${await reply.text()}`);
        await reply.arrayBuffer();
      }
    }
    const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
    return Number(peak) / 1000;
  } finally {
    child.removeAllListeners('exit');
    child.kill('SIGKILL');
  }
}
