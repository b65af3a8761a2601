import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import * as v from 'valibot';
import { ExplainedError } from '../common/errors.ts';
import { replaceFile } from '../common/output-files.ts';
import { type PathKind, patternFault } from '../common/site-paths.ts';
import { inlineMessage } from '../common/thrown.ts';
import { PREFIX } from '../contract/api.ts';
import { absentOr, isList, isRecord, isText, parseJson, recordOf } from '../contract/json.ts';
import {
  DEFAULT_LIMITS,
  DEFAULT_MINUTE,
  INTERFACE_PLANS,
  isPlanName,
  type Limits,
  NO_LIMIT,
} from '../contract/policy.ts';
import { editDistance, findNearest } from '../data/near-misses.ts';
import { absoluteSource, isRemote } from '../import/sources/fingerprint.ts';
import { FORMAT_NAMES, type FormatName } from '../import/format-names.ts';

/** Relative to the current folder: npm runs commands of a checkout in the checkout. */
export const DEFAULT_DB = resolve('data/blog.db');
export const DEFAULT_OUT = resolve('out');
export const DEFAULT_CONFIG = resolve('offprint.json');
export const DEFAULT_HOST = '127.0.0.1';
export const DEFAULT_PORT = 8787;

const pathPattern = (kind: PathKind) =>
  v.pipe(
    v.string(),
    v.rawCheck(({ dataset, addIssue }) => {
      const fault = dataset.typed ? patternFault(kind, dataset.value) : null;
      if (fault !== null) addIssue({ message: fault });
    }),
  );
const notEmpty = v.pipe(v.string(), v.minLength(1, 'must not be empty'));
const webAddress = v.pipe(
  v.string(),
  v.check(
    (address) => URL.canParse(address) && /^https?:\/\/[^/?#\s@]+(?:[/?#]\S*)?$/.test(address),
    'must be an http:// or https:// address without user name and password',
  ),
);
/** Scheme, host and optional path; the trailing slash is removed. */
const serviceAddress = v.pipe(
  v.string(),
  v.check(
    isServiceAddress,
    `must be http:// or https://, a host and optionally a path, such as https://api.example (${PREFIX} is added)`,
  ),
  v.transform((address) => new URL(address).href.replace(/\/+$/, '')),
);
const player = v.pipe(
  v.string(),
  v.maxLength(253, 'must have at most 253 characters'),
  v.regex(
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9](?:(?:\/[\w-][\w.-]*)+\/?)?$/,
    'must be a host in lower case, optionally with a path prefix, such as video.example/embed/, without scheme or port',
  ),
);
const className = v.pipe(
  v.string(),
  v.regex(/^[\w-]+\*?$/, 'must be a class such as note, or a prefix such as note-*'),
);
const whole = (least: number, most: number) => {
  const range = `must be a whole number from ${least} to ${most}`;
  return v.pipe(v.number(range), v.integer(range), v.minValue(least, range), v.maxValue(most, range));
};
function isServiceAddress(address: string): boolean {
  const url = URL.parse(address);
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    /^https?:\/\/[^\s?#@]+$/i.test(address) &&
    !url.pathname.includes(PREFIX)
  );
}

/** A strict object. Valibot alone would also accept arrays. */
const group = <Entries extends v.ObjectEntries>(entries: Entries) =>
  v.pipe(
    v.custom<object>((value) => !Array.isArray(value), 'must be an object'),
    v.strictObject(entries, ({ expected, path, message }) => {
      if (expected !== 'never') return message;
      const meant = findNearest(String(path?.at(-1)?.key), Object.keys(entries));
      return meant === undefined ? '' : ` (did you mean "${meant}"?)`;
    }),
  );
/** `null`: no limit. */
const limit = v.pipe(
  v.nullable(whole(1, 1_000_000_000)),
  v.transform((requests) => requests ?? NO_LIMIT),
);

/** A limit for each plan: the interface's, with defaults, and the owner's. */
const byPlan = ({ address, user, admin }: Limits['day']) =>
  v.pipe(
    v.custom<object>((value) => !Array.isArray(value), 'must be an object'),
    // Before the defaults are added.
    v.rawCheck(({ dataset, addIssue }) => {
      const plans = dataset.typed ? Object.keys(dataset.value) : [];
      const wrong = plans.find((plan) => !isPlanName(plan));
      if (wrong !== undefined)
        addIssue({
          message: `has the plan "${wrong}": plan names have up to 40 lower-case letters, digits and hyphens, and begin with a letter`,
        });
      const missing = INTERFACE_PLANS.filter((plan) => !plans.includes(plan));
      for (const plan of plans.filter((one) => !INTERFACE_PLANS.some((own) => own === one))) {
        const meant = missing.find((own) => editDistance(plan, own) <= own.length / 3);
        if (meant !== undefined)
          addIssue({
            message: `has the plan "${plan}", but not "${meant}". Correct the name, or set both plans`,
          });
      }
    }),
    v.objectWithRest(
      { address: v.optional(limit, address), user: v.optional(limit, user), admin: v.optional(limit, admin) },
      limit,
    ),
  );

const EVERYBODY: Limits['day'] = { address: DEFAULT_MINUTE, user: DEFAULT_MINUTE, admin: DEFAULT_MINUTE };

/** A plan that is missing in `minute` gets the default there; one that is missing in `day` is an error. */
const limits = v.pipe(
  group({
    day: v.optional(byPlan(DEFAULT_LIMITS.day), {}),
    minute: v.optional(
      v.lazy((value) => (typeof value === 'object' && value !== null ? byPlan(EVERYBODY) : limit)),
      DEFAULT_MINUTE,
    ),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed || typeof dataset.value.minute === 'number') return;
    const { day, minute } = dataset.value;
    const only = Object.keys(minute).find((plan) => !Object.hasOwn(day, plan));
    if (only !== undefined)
      addIssue({ message: `has the plan "${only}" in minute, but not in day. Set it in both` });
  }),
  v.transform(({ day, minute }): Limits => {
    if (typeof minute === 'number') return { day, minute };
    const all = Object.keys(day).map((plan) => [plan, DEFAULT_MINUTE] as const);
    return { day, minute: { ...Object.fromEntries<number>(all), ...minute } };
  }),
);

const blogId = v.pipe(
  v.string(),
  v.regex(/^[\w.~:/%-]{1,200}$/, 'must be 1 to 200 letters, digits and . _ ~ : / % -'),
);

const names = v.pipe(v.array(notEmpty), v.minLength(1, 'must not be empty'));

/** A blog to import, with the options of the command `import`. Without a format, it is recognised at each import. */
const importSetting = group({
  format: v.optional(v.picklist(FORMAT_NAMES, `must be one of ${FORMAT_NAMES.join(', ')}`)),
  path: v.pipe(
    notEmpty,
    v.check(
      (path) => path !== '-',
      'must be a file, a folder or a URL: only the command reads standard input',
    ),
  ),
  name: v.optional(notEmpty),
  complete: v.optional(v.boolean()),
  keep: v.optional(v.boolean()),
  strict: v.optional(v.boolean()),
  collection: v.optional(names),
  section: v.optional(names),
  language: v.optional(notEmpty),
  engine: v.optional(notEmpty),
  plain: v.optional(v.boolean()),
  views: v.optional(notEmpty),
});

/** `offprint.json`: every key is optional; unknown keys are errors. */
export const CONFIG = group({
  blog: v.optional(v.nullable(blogId), null),
  site: v.optional(
    group({
      name: v.optional(notEmpty),
      url: v.optional(webAddress),
      paths: v.optional(
        group({
          post: v.optional(pathPattern('post')),
          category: v.optional(pathPattern('category')),
          tag: v.optional(pathPattern('tag')),
        }),
      ),
      excerpts: v.optional(v.boolean('must be true or false')),
    }),
    {},
  ),
  limits: v.optional(limits, {}),
  html: v.optional(
    group({ embeds: v.optional(v.array(player), []), classes: v.optional(v.array(className), []) }),
    {},
  ),
  api_url: v.optional(v.nullable(serviceAddress), null),
  trusted_proxies: v.optional(whole(0, 10), 0),
  cron: v.optional(v.string(), '* * * * *'),
  import: v.optional(v.array(importSetting), []),
  webhooks: v.optional(v.array(webAddress), []),
});

export type ImportSetting = v.InferOutput<typeof importSetting>;
export type Config = v.InferOutput<typeof CONFIG>;

/** A configuration, and whether its file exists. */
export type ReadConfig = Config & { readonly isFound: boolean };

/** The defaults, without a configuration file. */
export const DEFAULTS: ReadConfig = { ...v.parse(CONFIG, {}), isFound: false };

/**
 * The error for `source`, `--source` and OFFPRINT_SOURCE, which the import format `sql` replaces.
 *
 * @param at where the file with views was given
 */
export function sourceReplaced(at: string, views: string, db = 'DATABASE'): ExplainedError {
  const entry = JSON.stringify({ import: [{ format: 'sql', path: db, views }] });
  return new ExplainedError(
    `${at} was replaced by an "import" format. Put ${entry} into offprint.json, with the other program's database as "path". ` +
      "--db is for Offprint's own database, into which posts are imported.",
  );
}

const SETTINGS = 'See docs/configuration.md.';

/**
 * Reads the configuration: the file named by `--config` or OFFPRINT_CONFIG, which must exist, or `offprint.json` in the
 * current folder, which is optional.
 *
 * @throws ExplainedError
 */
export function readConfig(named: string | undefined): ReadConfig {
  const path = named ?? DEFAULT_CONFIG;
  if (!existsSync(path)) {
    if (named === undefined) return DEFAULTS;
    throw new ExplainedError(
      `There is no configuration file at ${path}. Choose another with --config, or omit it.`,
    );
  }
  if (statSync(path).isDirectory())
    throw new ExplainedError(`${path} is a folder, not a configuration file. Choose another with --config.`);
  const bytes = readFileSync(path); // If that fails, the command says whose file it is.
  let value: unknown;
  try {
    value = JSON.parse(decodeText(bytes));
  } catch (error) {
    throw new ExplainedError(`${path} is not valid JSON: ${inlineMessage(error)}. ${SETTINGS}`);
  }
  if (isRecord(value) && isText(value['source'])) throw sourceReplaced(`${path}: "source"`, value['source']);
  const parsed = v.safeParse(CONFIG, value);
  if (parsed.success) {
    const folder = dirname(path);
    return {
      ...parsed.output,
      isFound: true,
      import: parsed.output.import.map(({ views, ...one }) => ({
        ...one,
        path: absoluteSource(one.path, folder),
        ...(views === undefined ? {} : { views: resolve(folder, views) }),
      })),
    };
  }
  throw new ExplainedError(`${path}: ${parsed.issues.map(describeIssue).join('; ')}. ${SETTINGS}`);
}

/** The text of a file without its byte order mark: in UTF-8, or in UTF-16, as editors and shells of Windows write it. */
function decodeText(bytes: Buffer): string {
  const mark = bytes.toString('latin1', 0, 2);
  const encoding = mark === 'ÿþ' ? 'utf-16le' : mark === 'þÿ' ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding, { fatal: true }).decode(bytes);
}

/** A configuration with a blog to import that its file does not name yet. */
export interface AddedImport {
  readonly config: ReadConfig;
  readonly setting: ImportSetting & { readonly format: FormatName };
  /** Adds it to the file, and creates the file if needed. */
  readonly write: () => void;
}

/**
 * Adds a blog to the configuration. It replaces entries of the same path with another format: name and rules stay,
 * options of the old format are removed. Writes nothing yet, since the import may fail.
 *
 * @returns null if the configuration already has it
 * @throws ExplainedError
 */
export function addImport(named: string | undefined, format: FormatName, path: string): AddedImport | null {
  const file = named ?? DEFAULT_CONFIG;
  const config = existsSync(file) ? readConfig(named) : { ...v.parse(CONFIG, {}), isFound: true };
  const absolute = absoluteSource(path);
  const isReplaced = (one: ImportSetting | undefined): boolean =>
    one?.path === absolute && one.format !== format;
  const replaced = config.import.find(isReplaced);
  const known = config.import.find((one) => one.path === absolute && one.format === format);
  if (known !== undefined && replaced === undefined) return null;

  const { name, complete, keep, strict } = replaced ?? {};
  const rules = { name, complete, keep, strict };
  const setting = { ...(known ?? { format, path: absolute, ...rules }), format };
  const kept = config.import.filter((one) => !isReplaced(one));
  return {
    config: { ...config, import: known === undefined ? [...kept, setting] : kept },
    setting,
    write() {
      if (!existsSync(file)) replaceFile(file, '{}\n');
      const { import: now } = readConfig(named); // It may have been edited meanwhile.
      const isSettings = recordOf<{ import?: readonly unknown[] }>({ import: absentOr(isList) });
      const settings = parseJson(decodeText(readFileSync(file)), isSettings, 'a configuration');
      const others = (settings.import ?? []).filter((_, at) => !isReplaced(now[at]));
      const written = isRemote(path) ? path : relative(dirname(resolve(file)), absolute) || '.';
      const imports = known === undefined ? [...others, { format, path: written, ...rules }] : others;
      replaceFile(file, `${JSON.stringify({ ...settings, import: imports }, null, 2)}\n`);
    },
  };
}

function describeIssue(issue: v.BaseIssue<unknown>): string {
  const at = v.getDotPath(issue) ?? '';
  if (issue.type === 'strict_object' && issue.expected === 'never')
    return `there is no setting ${at}${issue.message}`;
  return `${at === '' ? 'it' : at}: ${issue.message}`;
}
