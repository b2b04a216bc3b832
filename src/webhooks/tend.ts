import { enqueue } from '../platform/database/enqueue.ts';
import { toldInLog } from '../platform/database/sql-errors.ts';
import { storesListenedTo } from '../notify/events-sql.ts';
import { firstIdAt, publicId, type Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { tenantFailures } from '../platform/tenant-failures.ts';
import { dayMs, plusDays, realNow, secondMs } from '../platform/time.ts';
import { deliverTo } from './deliver.ts';
import type { WebhookEndpoint } from './endpoint.ts';
import { endpointsAtWork } from './endpoints-sql.ts';
import { forgetBefore, storesWithMarks } from './events-sql.ts';
import { gatherEvents } from './gather.ts';

/** The queue's name for it. It runs each minute, and while somebody listens, every few seconds. */
export const tendWebhooksTask = 'tend_webhooks';

const storesMax = 10_000;
const storesPerPage = 500;
const everyMs = 5 * secondMs;
/** Nothing is begun later than this in one run: other work of the queue waits behind it. */
const runMsMax = 20 * secondMs;
const endpointsAtOnce = 16;
const webhookDaysKept = 30;

/** A task: looks what happened in the stores that are listened to, and sends what is due. */
export async function tendWebhooks(platform: Platform, now: Date = realNow()): Promise<void> {
  const begunAt = realNow();
  // A run lasts: a lease, a signature and the next try are counted from when something is begun, not from when all of it was.
  const moment = () => new Date(now.getTime() + realNow().getTime() - begunAt.getTime());
  const stores = await storesBy(storesListenedTo, platform);
  for (const storeId of stores) await logged(platform, storeId, () => gatherEvents(platform.database, platform.clock, storeId, moment()));
  const until = new Date(realNow().getTime() + runMsMax);
  const endpoints: WebhookEndpoint[] = [];
  for (const storeId of stores)
    await logged(platform, storeId, async () => void endpoints.push(...(await endpointsAtWork(platform.database, storeId))));
  let isMore = false;
  const waiting = endpoints.values();
  // So many walk down one list: an endpoint that answers slowly holds up one of them, not all.
  const walk = async () => {
    for (const endpoint of waiting)
      await logged(platform, endpoint.storeId, async () => {
        if (await deliverTo(platform, endpoint, { moment, until })) isMore = true;
      });
  };
  await Promise.all(Array.from({ length: endpointsAtOnce }, walk));
  if (stores.length === 0) return;
  const runAt = new Date(realNow().getTime() + (isMore ? 0 : everyMs));
  await enqueue(platform.database, tendWebhooksTask, {}, { key: `${tendWebhooksTask} again`, runAt });
}

/** One store's trouble is not the others'. */
async function logged({ log }: Platform, storeId: Id<'store'>, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.error({ storeId, error: toldInLog(error) }, 'webhooks: a store was left out this time');
  }
}

async function storesBy(pageOf: typeof storesListenedTo, { database }: Platform): Promise<ReadonlyArray<Id<'store'>>> {
  const stores: Array<Id<'store'>> = [];
  while (stores.length < storesMax) {
    const page = await pageOf(database, stores.at(-1) ?? null, storesPerPage);
    stores.push(...page);
    if (page.length < storesPerPage) break;
  }
  return stores;
}

/** A job of the night: events hold orders' ids and amounts, and are looked at for a while, not for ever. */
export async function forgetOldWebhooks(platform: Platform, now: Date, really: Date = realNow()): Promise<void> {
  const deliveriesBefore = firstIdAt(new Date(really.getTime() - webhookDaysKept * dayMs));
  const eventsBefore = plusDays(now, -webhookDaysKept);
  const failures = tenantFailures(platform.log, 'Old webhooks of stores could not be deleted');
  for (const storeId of await storesBy(storesWithMarks, platform))
    await failures.run(publicId('store', storeId), () =>
      platform.database.transaction((tx) => forgetBefore(tx, { storeId, deliveriesBefore, eventsBefore })),
    );
  failures.raise();
}
