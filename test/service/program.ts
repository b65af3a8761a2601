import { fileURLToPath } from 'node:url';

/** The command line from the sources, for tests of differences such as the commands in messages. */
export const CHECKOUT = fileURLToPath(new URL('../../cli/offprint.mjs', import.meta.url));

/** The compiled command line (test/compiled-program.ts), which starts faster; the default in tests. */
export const OFFPRINT = process.env['OFFPRINT_TEST_PROGRAM'] ?? CHECKOUT;
