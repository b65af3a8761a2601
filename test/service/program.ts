import { fileURLToPath } from 'node:url';

/** The command line as a checkout runs it: for what differs there, such as the commands that messages tell to run. */
export const CHECKOUT = fileURLToPath(new URL('../../cli/offprint.mjs', import.meta.url));

/** The command line as processes of tests run it: compiled (test/compiled-program.ts), which starts faster. */
export const OFFPRINT = process.env['OFFPRINT_TEST_PROGRAM'] ?? CHECKOUT;
