import { packageVersion } from '../common/package-version.ts';

/** Of this program. */
export const VERSION = packageVersion(new URL('../package.json', import.meta.url));
