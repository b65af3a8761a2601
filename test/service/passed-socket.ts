/** Sockets that outlive the service, as a service manager passes them (sd_listen_fds). */
import { spawn } from 'node:child_process';
import { z } from 'zod';
import { OFFPRINT } from './program.ts';

/** A bound socket of this process, which nothing here listens on. */
export interface HeldSocket {
  readonly url: string;
  /** Starts `offprint ARGUMENTS` with the socket, and waits until it serves. */
  start(...args: readonly string[]): Promise<PassedService>;
  close(): void;
}

export interface PassedService {
  /** Ends it with SIGTERM. @returns its exit code, null after a signal */
  end(): Promise<number | null>;
}

/** The parts of Node's class beneath its servers that are used here. */
interface RawSocket {
  readonly fd: number;
  bind(host: string, port: number): number;
  getsockname(address: { port?: number }): void;
  close(): void;
}

const binding = z.custom<{
  readonly TCP: new (kind: number) => RawSocket;
  readonly constants: { readonly SERVER: number };
}>((value) => value instanceof Object && 'TCP' in value);

/** Node's servers accept connections on what they listen on, so this socket is only bound here. */
export function holdSocket(): HeldSocket {
  const { TCP, constants } = binding.parse(
    Reflect.apply(Reflect.get(process, 'binding'), process, ['tcp_wrap']),
  );
  const socket = new TCP(constants.SERVER);
  const address: { port?: number } = {};
  if (socket.bind('127.0.0.1', 0) === 0) socket.getsockname(address);
  const { port = 0 } = address;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => socket.close(),
    async start(...args) {
      // The shell's process becomes the service's.
      const script = 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@"';
      const child = spawn('/bin/sh', ['-c', script, process.execPath, OFFPRINT, ...args], {
        stdio: ['ignore', 'pipe', 'pipe', socket.fd],
      });
      let log = '';
      const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
      await new Promise<void>((resolve, reject) => {
        const read = (text: Buffer) => {
          log += text.toString();
          if (log.includes(`http://127.0.0.1:${port}`)) resolve();
        };
        child.stdout?.on('data', read);
        child.stderr?.on('data', read);
        void ended.then((code) => reject(new Error(`It ended with ${code}:\n${log}`)));
      });
      return {
        end() {
          child.kill('SIGTERM');
          return ended;
        },
      };
    },
  };
}
