/**
 * Accounts and keys over HTTP, for the owner's own programs. Each route calls what the commands `accounts` and `keys`
 * call; docs/operators/keys.md has them all.
 */
import * as v from 'valibot';
import { PlanNotPublished, PlansMissing } from '../../build/errors.ts';
import { ExplainedError } from '../../common/errors.ts';
import { namedPrefix, withoutSecrets } from '../../contract/api-key.ts';
import { isScope, SCOPES } from '../../contract/api.ts';
import { nameFault } from '../../data/accounts/account-name.ts';
import { ChangeRefused, DatabaseLocked, NotKnown } from '../../data/errors.ts';
import {
  type AccountsPlace,
  addKey,
  changeAccount,
  type Changed,
  dropAccount,
  dropKey,
  replaceKey,
  showAccount,
} from '../accounts.ts';
import { parseExpiry } from '../expiry.ts';
import { describeFailure } from '../failure.ts';

/** A request for one of these paths. */
export interface AccountsRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** As sent. */
  readonly body: string;
}

/** An answer, before it is written as JSON. */
export interface AccountsAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** To a caller, about what only the log explains. */
export const FAILED = 'Internal error. See the log.';

/** A name or a body cannot be used. */
class InvalidRequest extends ExplainedError {
  readonly status: 400 | 422;
  constructor(status: 400 | 422, message: string) {
    super(message);
    this.status = status;
  }
}

const text = v.string('must be a string');
const optionalText = v.optional(text);
/** A time in the future. */
const optionalTime = v.optional(
  v.pipe(
    text,
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const time = parseExpiry(dataset.value, new Date());
      if (typeof time !== 'string') return time;
      addIssue({ message: time });
      return NEVER;
    }),
  ),
);

/**
 * Its changes are made when it returns; the result may be a promise.
 *
 * @param name the account, or the prefix of a key
 * @param body parsed; an empty one is `{}`
 */
type Handler = (
  place: AccountsPlace,
  name: string,
  body: unknown,
  now: Date,
) => readonly [number, Changed<unknown>];

const ROUTES: readonly (readonly [path: RegExp, methods: Readonly<Record<string, Handler>>])[] = [
  [
    /^\/accounts\/([^/]+)$/,
    {
      GET: (place, name, _, now) => [200, { result: showAccount(place, name, now), prefixes: [] }],
      PUT(place, name, body, now) {
        const { plan } = parseFields({ plan: optionalText }, body);
        const { result, prefixes } = changeAccount(place, checkedName(name), plan);
        const shown = showAccount(place, name, now);
        return [result.before === null ? 201 : 200, { result: shown, prefixes }];
      },
      DELETE: (place, name) => [200, dropAccount(place, name)],
    },
  ],
  [
    /^\/accounts\/([^/]+)\/keys$/,
    {
      POST(place, account, body) {
        const { name, plan, scopes, expires } = parseFields(
          {
            name: text,
            plan: optionalText,
            scopes: v.optional(v.array(text, 'must be a list'), [...SCOPES]),
            expires: optionalTime,
          },
          body,
        );
        const unknown = scopes.find((scope) => !isScope(scope));
        if (unknown !== undefined || scopes.length === 0)
          throw new InvalidRequest(422, `"scopes" must be one or more of ${SCOPES.join(', ')}.`);
        const key = {
          account: checkedName(account),
          name: checkedName(name),
          scopes: [...new Set(scopes.filter(isScope))],
          plan,
        };
        return [201, addKey(place, { ...key, expires })];
      },
    },
  ],
  [
    /^\/keys\/([^/]+)\/rotate$/,
    {
      POST(place, prefix, body, now) {
        const rotation = parseFields({ grace: optionalTime, expires: optionalTime }, body);
        return [201, replaceKey(place, namedPrefix(prefix), now, rotation)];
      },
    },
  ],
  [
    /^\/keys\/([^/]+)$/,
    {
      DELETE(place, name) {
        const prefix = namedPrefix(name);
        return [200, { ...dropKey(place, prefix), result: { prefix, revoked: true } }];
      },
    },
  ],
];

/** The allowed methods of a path; null: there is no such path. */
export function accountsMethods(path: string): readonly string[] | null {
  const [, methods] = ROUTES.find(([pattern]) => pattern.test(path)) ?? [];
  return methods === undefined ? null : Object.keys(methods);
}

/** An answer, and what follows from it. */
export interface AccountsOutcome {
  readonly answer: AccountsAnswer;
  /** The keys that the bucket must get. */
  readonly prefixes: readonly string[];
  /** For the log. */
  readonly messages: readonly string[];
}

/** Carries out a request whose path takes its method. Every failure is an answer; those that are not the caller's are logged. */
export async function answerAccounts(
  place: AccountsPlace,
  request: AccountsRequest,
): Promise<AccountsOutcome> {
  let prefixes: readonly string[] = [];
  try {
    const [status, changed] = handle(place, request);
    ({ prefixes } = changed);
    return {
      answer: { status, body: { success: true, data: await changed.result } },
      prefixes,
      messages: [],
    };
  } catch (error) {
    const status = toStatus(error);
    const message = error instanceof ExplainedError ? error.message : FAILED;
    return {
      answer: { status, body: { success: false, message } },
      prefixes,
      messages: status < 500 ? [] : [failureLine(request, error)],
    };
  }
}

/** For the log. */
export function failureLine(
  { method, path }: Pick<AccountsRequest, 'method' | 'path'>,
  error: unknown,
): string {
  return withoutSecrets(`${method} ${path}: ${describeFailure(error)}`);
}

function handle(place: AccountsPlace, { method, path, body }: AccountsRequest): ReturnType<Handler> {
  const [pattern, methods] = ROUTES.find(([known]) => known.test(path)) ?? [];
  const [, name = ''] = pattern?.exec(path) ?? [];
  const handler = methods?.[method];
  if (handler === undefined) throw new Error(`no route for ${method} ${path}`);
  return handler(place, decodeName(name), parseBody(body), new Date());
}

function toStatus(error: unknown): number {
  if (error instanceof InvalidRequest) return error.status;
  if (error instanceof NotKnown) return 404;
  if (error instanceof ChangeRefused) return 409;
  if (error instanceof PlanNotPublished || error instanceof PlansMissing) return 422;
  return error instanceof DatabaseLocked ? 503 : 500;
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    throw new InvalidRequest(400, 'The path is not valid percent-encoding.');
  }
}

function parseBody(body: string): unknown {
  let value: unknown = {};
  try {
    if (body.trim() !== '') value = JSON.parse(body);
  } catch {
    throw new InvalidRequest(400, 'The body is not valid JSON.');
  }
  if (Array.isArray(value)) throw new InvalidRequest(422, 'The body must be an object.');
  return value;
}

function parseFields<Entries extends v.ObjectEntries>(
  entries: Entries,
  body: unknown,
): v.InferOutput<v.StrictObjectSchema<Entries, undefined>> {
  const known = Object.keys(entries).join(', ');
  const result = v.safeParse(
    v.strictObject(entries, `has an unknown or missing field; the fields are ${known}`),
    body,
  );
  if (result.success) return result.output;
  const [issue] = result.issues;
  const where = v.getDotPath(issue);
  const isField = where !== null && issue.type !== 'strict_object';
  throw new InvalidRequest(422, `${isField ? `"${where}"` : 'The body'} ${issue.message}.`);
}

function checkedName(name: string): string {
  const fault = nameFault(name);
  if (fault !== null) throw new InvalidRequest(422, `The name is not allowed: ${fault}.`);
  return name;
}
