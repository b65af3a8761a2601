/** Credentials to import running blogs, from the environment: never in `offprint.json`, a log or a report. */
import type { FormatOptions } from '../import/read-options.ts';

export function credentials(): Pick<FormatOptions, 'key' | 'password'> {
  return {
    key: process.env['OFFPRINT_GHOST_KEY']?.trim(),
    password: process.env['OFFPRINT_WORDPRESS_PASSWORD']?.trim(),
  };
}
