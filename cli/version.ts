import { packageVersion } from '../common/package-version.ts';
import { programFile } from '../common/program-files.ts';

/** Of this program. */
export const VERSION = packageVersion(programFile('package.json'));
