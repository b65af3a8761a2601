import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const SERVER = fileURLToPath(new URL('../../examples/serve.mjs', import.meta.url));

/** A folder served by `examples/serve.mjs`, as `npm run reader` does, on a free port. */
export interface ServedFolder {
  readonly url: string;
  close(): void;
}

/** @throws Error with what the server printed, if it ends before it listens */
export async function serveFolder(folder: string): Promise<ServedFolder> {
  const server = spawn(process.execPath, [SERVER, folder, '0']);
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    server.stdout.on('data', (text: Buffer) => {
      said += text.toString();
      const address = /http:\/\/[\d.]+:\d+/.exec(said)?.[0];
      if (address !== undefined) resolve(address);
    });
    server.on('close', () => reject(new Error(`examples/serve.mjs ended: ${said}`)));
  });
  return { url, close: () => void server.kill() };
}
