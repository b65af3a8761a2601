/**
 * Runs one build, and prints its report and the peak memory of the process in MB.
 */
import { build } from '../../build/build.ts';
import { SILENT } from '../../common/progress.ts';
import { DEFAULT_LIMITS } from '../../contract/policy.ts';

const [db = '', out = ''] = process.argv.slice(2);
const report = await build({
  ...{ db, out, site: {}, limits: DEFAULT_LIMITS, strict: false, force: false },
  ...{ now: new Date(), builtBy: 'bench', progress: SILENT },
});
const peakMb = process.resourceUsage().maxRSS / 1000;
console.log(JSON.stringify({ report, peakMb }));
