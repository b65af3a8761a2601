import { placeReadySample } from '../../build/output/ready-sample.ts';
import type { ReadConfig } from '../settings.ts';
import type { StartOptions } from './options.ts';

/** Creates the sample blog of a first start, with the snapshot that the package has ready. */
export async function makeSample({ db, out }: StartOptions, { found }: ReadConfig): Promise<void> {
  // Loaded on demand: serving needs no importers.
  const { createSampleBlog } = await import('../../data/sample.ts');
  await createSampleBlog(db, new Date());
  // Without a configuration: it was built with the defaults.
  if (!found) await placeReadySample(out, new Date());
}
