/**
 * A process that runs programs for its parent, and cleans up when the parent ends, even if it is killed: the channel
 * between them closes then. It kills what still runs, with everything that was started by it, and removes the folder.
 * It starts the programs itself, since a killed parent may not be able to say what it has just started.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import * as v from 'valibot';
import { type HostEvent, HostRequest } from './host-messages.ts';
import { killTree } from './process-tree.ts';

const [, , folder = ''] = process.argv;
const running = new Map<number, ChildProcess>();

process.on('message', (message) => {
  const request = v.parse(HostRequest, message);
  if ('id' in request) start(request);
  else if ('kill' in request) kill(running.get(request.kill));
  else void cleanUp().then(() => process.exit());
});
process.once('disconnect', () => void cleanUp());

function start({ id, command, args, ...how }: Extract<HostRequest, { id: number }>): void {
  // The parent may end meanwhile: without a callback, that would end this process before it has cleaned up.
  const tell = (event: HostEvent, sent = () => undefined as void): void =>
    void (process.connected && process.send?.(event, undefined, undefined, sent));
  const child = spawn(command, args, {
    ...how,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // The leader of a process group, so that its child processes end with it.
    windowsHide: true,
  });
  running.set(id, child);
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      // A program that prints without an end fills no memory.
      child[stream].pause();
      tell({ id, stream, text }, () => void child[stream].resume());
    });
  child.once('error', ({ message }) => {
    running.delete(id);
    tell({ id, error: message });
  });
  child.once('exit', () => running.delete(id));
  child.once('close', (code) => tell({ id, code }));
}

async function cleanUp(): Promise<void> {
  await Promise.all(
    [...running.values()].map(async (child) => {
      const ended = once(child, 'exit');
      kill(child);
      await ended;
    }),
  );
  // What these programs started may still write for a moment.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function kill(child: ChildProcess | undefined): void {
  if (child?.pid !== undefined) killTree(child.pid);
}
