/**
 * Checks that every contestant gives the right answers: Offprint's, which the project's tests compare with SQL.
 */
import { isDeepStrictEqual } from 'node:util';
import { PREFIX } from '../../contract/api.ts';
import { ask, askAll, usedOf, type WireReply } from './ask.ts';
import type { Contestant } from './contestants.ts';
import type { Asker, RequestClass } from './request-classes.ts';
import type { Load } from './wrk.ts';

type Headers = Readonly<Record<Asker, Readonly<Record<string, string>>>>;

/** The number of answers that are compared one by one, of a class with many targets. */
const SAMPLE = 60;
const EXACT_REQUESTS = 1000;
/** The reply sizes may differ by this many bytes: counts in headers get longer during the measurement. */
const SIZE_TOLERANCE = 64;

/** What is wrong with a reply, compared with Offprint's; null: nothing. */
export function faultIn({ status }: RequestClass, reply: WireReply, ours: WireReply): string | null {
  if (reply.status !== status) return `status ${reply.status} in place of ${status}`;
  const [theirs, wanted] = [parsed(reply.body), parsed(ours.body)];
  if (status !== 200) return theirs?.success === false ? null : 'no envelope of an error';
  // The quota in /me is each contestant's own count.
  const data = (body: Envelope | null) =>
    isObject(body?.data) && 'quota' in body.data ? { ...body.data, quota: null } : body?.data;
  return theirs?.success === true && isDeepStrictEqual(data(theirs), data(wanted)) ? null : 'other data';
}

/** Compares the answers to each class with Offprint's. @returns descriptions of faults */
export async function compareAnswers(
  contestant: Contestant,
  origin: string,
  ourOrigin: string,
  classes: readonly RequestClass[],
  headers: Headers,
): Promise<string[]> {
  const faults: string[] = [];
  for (const requestClass of classes.filter((each) => contestant.answers(each))) {
    const { name, asker, targets, target } = requestClass;
    for (const path of targets ? sampleOf(targets) : [target]) {
      const [reply, ours] = [
        await ask(origin + path, headers[asker]),
        await ask(ourOrigin + path, headers[asker]),
      ];
      const fault = faultIn(requestClass, reply, ours);
      if (fault !== null) faults.push(`${contestant.name}, ${name}, ${path}: ${fault}`);
    }
  }
  return faults;
}

/** Sends a number of requests in parallel and checks the count. @returns descriptions of faults */
export async function checkCount(
  contestant: Contestant,
  origin: string,
  headers: Headers,
): Promise<string[]> {
  const before = await usedOf(origin, headers.reader);
  await askAll(origin, Array<string>(EXACT_REQUESTS).fill(`${PREFIX}/posts`), headers.reader);
  const counted = (await usedOf(origin, headers.reader)) - before - 1;
  return counted === EXACT_REQUESTS || counted < 0 // A new day.
    ? []
    : [`${contestant.name}: ${EXACT_REQUESTS} requests were counted as ${counted}`];
}

/** The conditions under which a measurement is valid. */
export interface Expected {
  readonly status: number;
  readonly asker: Asker;
  readonly connections: number;
  /** Bytes of a reply; null if sizes differ. */
  readonly bytes: number | null;
  /** Number of requests counted during the measurement; below 0: a new day has begun. */
  readonly counted: number;
}

/** What was wrong with the answers of a measurement; empty: nothing. */
export function faultsOfLoad(load: Load, { status, asker, connections, bytes, counted }: Expected): string[] {
  const { requests, statusErrors, socketErrors, wrong } = load;
  const faults: string[] = [];
  if (requests === 0) faults.push('no answers');
  if (statusErrors !== (status === 200 ? 0 : requests))
    faults.push(`${statusErrors} of ${requests} with an error's status`);
  if (socketErrors > 0) faults.push(`${socketErrors} broken connections or late answers`);
  if (wrong > 0) faults.push(`${wrong} of ${requests} with another status or body`);
  const mean = load.bytes / requests;
  if (bytes !== null && Math.abs(mean - bytes) > SIZE_TOLERANCE) {
    faults.push(`${mean.toFixed(0)} bytes an answer in place of ${bytes}`);
  }
  if (counted >= 0) {
    // Requests in flight at the end were counted although their answers were not received.
    const [least, most] = asker === 'exhausted' ? [0, 0] : [requests, requests + connections];
    if (counted < least || counted > most) faults.push(`${requests} answers, and ${counted} counted`);
  }
  return faults;
}

interface Envelope {
  readonly success?: unknown;
  readonly data?: unknown;
}

function parsed(body: string): Envelope | null {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function sampleOf(targets: readonly string[]): string[] {
  const step = Math.max(1, Math.floor(targets.length / SAMPLE));
  return targets.filter((_, i) => i % step === 0).slice(0, SAMPLE);
}
