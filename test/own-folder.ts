import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Where a command finds no settings and no blog: those of who runs the tests are in the checkout.
process.chdir(mkdtempSync(join(tmpdir(), 'offprint-own-')));
