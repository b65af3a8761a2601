import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { programModule } from '../../common/program-files.ts';
import { HostEvent, type HostRequest } from './host-messages.ts';

const HOST = programModule('import/engine/host');

/** A program to start. `env` is all of its environment. */
export type ProgramStart = Omit<Extract<HostRequest, { id: number }>, 'id'>;

/** A temporary folder, and the programs that work in it. Both end with this process, even if it is killed (host.ts). */
export interface Workspace {
  readonly folder: string;
  /**
   * Starts a program, and calls `receive` with each event, the last one when it has ended or could not be started.
   *
   * @returns kills it, with everything that it started
   */
  readonly start: (program: ProgramStart, receive: (event: HostEvent) => void) => () => void;
  /** Kills what still runs. */
  readonly remove: () => Promise<void>;
}

export async function makeWorkspace(): Promise<Workspace> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'offprint-engine-')));
  // In its own session: otherwise Ctrl-C would end it before it has cleaned up.
  const host = spawn(process.execPath, [HOST, folder], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    detached: true,
    windowsHide: true,
  });
  const ended = once(host, 'exit');
  const receivers: ((event: HostEvent) => void)[] = [];
  host.on('message', (message) => {
    const event = v.parse(HostEvent, message);
    receivers[event.id]?.(event);
  });
  host.once('exit', () => {
    for (const [id, receive] of receivers.entries()) receive({ id, error: 'Its host process was killed.' });
  });
  /** @param failed is called if the host has ended */
  const ask = (request: HostRequest, failed = (_: Error): void => undefined): void =>
    void host.send(request, (error) => {
      if (error) failed(error);
    });
  return {
    folder,
    start(program, receive) {
      const id = receivers.push(receive) - 1;
      ask({ id, ...program }, ({ message }) => receive({ id, error: message }));
      return () => ask({ kill: id });
    },
    async remove() {
      ask({ end: true });
      await ended;
    },
  };
}
