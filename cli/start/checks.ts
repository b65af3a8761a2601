import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { guardOutput } from '../../build/output/output-guard.ts';
import { CronInvalid, isCronExpression } from '../../build/schedule.ts';
import { refuseUnreadable } from '../../common/errors.ts';
import { SILENT } from '../../common/progress.ts';
import { POINTER_PATH } from '../../contract/pointer.ts';
import { refuseServer } from '../../data/database.ts';
import { DatabaseMissing } from '../../data/errors.ts';
import { type Admin, openAdmin } from '../admin/admin.ts';
import { checkBucket } from '../bucket.ts';
import { buildOptions, type StartFlags } from '../options.ts';
import { checkPlace } from '../place.ts';
import { webhookSecret } from './webhooks.ts';

/** What the checks have found out. */
interface Checked {
  readonly cron: string;
  /** The key of webhook signatures; null: no webhooks. */
  readonly secret: Buffer | null;
  /** Listens already, so that its address is taken; null: none. */
  readonly admin: Admin | null;
  /** Whether the sample blog is made first. */
  readonly isFirst: boolean;
}

/** Refuses what cannot work, before anything is written. */
export async function checkStart(options: StartFlags, typed: Command): Promise<Checked> {
  const { db, out, host, port, counts, publishTo, endpoint, settings: config } = options;
  const { cron = config.cron } = options;
  if (!isCronExpression(cron)) throw new CronInvalid(cron);
  checkBucket({ to: publishTo, endpoint });
  const secret = config.webhooks.length === 0 ? null : webhookSecret();
  await checkPlace(counts === undefined ? out : null, host, port);
  const admin = await openAdmin(options.admin);
  refuseServer(db);
  const isNew = !existsSync(db);
  const isFirst = isNew && config.import.length === 0;
  if (isNew) refuseUnreadable(db);
  // Only the first `npm start` of a fresh checkout gets a sample blog: no database is named, and it would replace nothing.
  const isNamed = typed.getOptionValueSource('db') !== 'default' || publishTo !== undefined;
  if (isFirst && (isNamed || existsSync(join(out, POINTER_PATH)))) throw new DatabaseMissing(db);
  guardOutput(buildOptions(options, SILENT), config.import.length > 0);
  return { cron, secret, admin, isFirst };
}
