import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { DEFAULT_LIMITS } from '../contract/policy.ts';

/** The project's own folder: defaults lie in it, wherever a command is run from. */
const HOME = fileURLToPath(new URL('../', import.meta.url));

export const DEFAULT_DB = `${HOME}data/blog.db`;
export const DEFAULT_OUT = `${HOME}out`;
export const DEFAULT_CONFIG = `${HOME}offprint.json`;
export const DEFAULT_HOST = '127.0.0.1';
export const DEFAULT_PORT = 8787;

const pathPattern = z.string().regex(/^\/.*\{slug\}/, 'must begin with / and hold {slug}');
const host = z
  .string()
  .max(253)
  .regex(
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/,
    'must be a host in lower case, such as video.example, without scheme, port or path',
  );
const className = z
  .string()
  .regex(/^[\w-]+\*?$/, 'must be a class such as note, or the beginning of some: note-*');
const limit = z.number().int().min(1).max(1_000_000_000);

/** `offprint.json`: every key is optional, and one that is not listed here is refused. */
export const CONFIG = z.strictObject({
  site: z
    .strictObject({
      name: z.string().min(1),
      url: z.url({ protocol: /^https?$/ }),
      paths: z.strictObject({ post: pathPattern, category: pathPattern, tag: pathPattern }).partial(),
    })
    .partial()
    .default({}),
  limits: z
    .strictObject({
      day: z
        .strictObject({
          address: limit.default(DEFAULT_LIMITS.day.address),
          user: limit.default(DEFAULT_LIMITS.day.user),
          admin: limit.default(DEFAULT_LIMITS.day.admin),
        })
        .default(DEFAULT_LIMITS.day),
      minute: limit.default(DEFAULT_LIMITS.minute),
    })
    .default(DEFAULT_LIMITS),
  html: z
    .strictObject({ embeds: z.array(host).default([]), classes: z.array(className).default([]) })
    .default({ embeds: [], classes: [] }),
  trusted_proxies: z.number().int().min(0).max(10).default(0),
  cron: z.string().default('* * * * *'),
  source: z.string().min(1).nullable().default(null),
});

export type Config = z.infer<typeof CONFIG>;

/** The configuration file cannot be used. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/**
 * Reads the configuration: the file named by `--config` or OFFPRINT_CONFIG, which must exist, or
 * `offprint.json` beside package.json, which may.
 *
 * @throws ConfigError
 */
export function readConfig(named: string | undefined): Config {
  const path = named ?? DEFAULT_CONFIG;
  if (!existsSync(path)) {
    if (named === undefined) return CONFIG.parse({});
    throw new ConfigError(`There is no configuration file at ${path}.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ConfigError(`${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = CONFIG.safeParse(value);
  if (parsed.success) {
    const { source } = parsed.data;
    return { ...parsed.data, source: source === null ? null : resolve(dirname(path), source) };
  }
  throw new ConfigError(`${path}: ${parsed.error.issues.map(describeIssue).join('; ')}`);
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const at = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => (at === '' ? key : `${at}.${key}`)).join(', ');
    return `there is no setting ${names}`;
  }
  return `${at === '' ? 'it' : at}: ${issue.message}`;
}
