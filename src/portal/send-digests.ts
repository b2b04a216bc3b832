import { findCreator } from '../creators/creators-sql.ts';
import { listStoresOfCreator } from '../creators/members-sql.ts';
import { listDisabledEmails, type CreatorEmailKind } from '../creators/email-preferences-sql.ts';
import { pagesOfStores, storesById } from '../merchants/stores-sql.ts';
import { enqueueEmail } from '../people/enqueue-email.ts';
import type { Transaction } from '../db/database.ts';
import { firstIdAt, publicId, timeOfId, type Id } from '../core/ids.ts';
import { noCents } from '../core/money.ts';
import { invariant } from '../core/invariant.ts';
import type { Platform } from '../runtime/platform.ts';
import { tenantFailures, type TenantFailures } from '../queue/tenant-failures.ts';
import { minuteMs, plusDays } from '../core/time.ts';
import { digestEmail, hasActivity, type StoreActivity } from './digest-email.ts';
import {
  sumApproved,
  findNextActivity,
  listCreatorsWithActivity,
  saveDigest,
  lockDigest,
  sumOpened,
  listRejected,
  type IdRange,
} from './digest-sql.ts';
import { boundedKeysetPages, itself } from '../db/keyset-pages.ts';

/** An ID is generated shortly before its row is committed, so younger rows wait for the next digest. */
const settledMs = 10 * minuteMs;
/** After a longer outage, older activity is not sent. */
const lookBackDays = 3;
const pageBounds = { rowsPerPage: 1_000, pagesMax: 10_000 };
const rejectedNamedMax = 10;

/**
 * The daily job: one email to each creator with new, approved, or rejected commissions. The end of each digest is stored in the
 * transaction of the email, so that a crash sends no digest twice, and a missed one is sent the next day.
 */
export async function sendDigests(platform: Platform, now: Date): Promise<void> {
  const until = new Date(now.getTime() - settledMs);
  const span = { from: firstIdAt(plusDays(until, -lookBackDays)), to: firstIdAt(until) };
  const failures = tenantFailures(platform.log, 'The daily sales email failed');
  for await (const stores of pagesOfStores(platform.database, pageBounds))
    for (const { storeId } of stores)
      await failures.run(publicId('store', storeId), () => sendDigestsOfStore(platform, storeId, { span, until, failures }));
  failures.raise();
}

/** The run at `ranUpTo` has sent everything that was settled then. */
export async function nextDigestAt({ database }: Platform, ranUpTo: Date): Promise<Date | null> {
  const activity = await findNextActivity(database, firstIdAt(new Date(ranUpTo.getTime() - settledMs)));
  return activity === null ? null : new Date(timeOfId(activity).getTime() + settledMs);
}

type DigestRun = { readonly span: IdRange; readonly until: Date; readonly failures: TenantFailures };

/** The first store sends a creator's digest for all stores; at the others nothing is left to send. */
async function sendDigestsOfStore(platform: Platform, storeId: Id<'store'>, run: DigestRun): Promise<void> {
  const pages = boundedKeysetPages<Id<'crt'>, Id<'crt'>>(pageBounds, itself, (page) =>
    listCreatorsWithActivity(platform.database, storeId, run.span, page),
  );
  for await (const creatorIds of pages)
    for (const creatorId of creatorIds)
      await run.failures.run(publicId('crt', creatorId), () =>
        platform.database.transaction((tx) => sendDigest(tx, platform, creatorId, run)),
      );
}

async function sendDigest(tx: Transaction, { config, secrets }: Platform, creatorId: Id<'crt'>, { span, until }: DigestRun): Promise<void> {
  const lastUntil = await lockDigest(tx, creatorId);
  if (lastUntil !== null && lastUntil >= until) return;
  const from = lastUntil === null ? span.from : later(span.from, firstIdAt(lastUntil));
  const creator = await findCreator(tx, creatorId);
  invariant(creator !== null, 'creators are never deleted');
  const activity = await loadActivity(tx, creatorId, { from, to: span.to });
  await saveDigest(tx, creatorId, until);
  if (activity.length === 0) return;
  const content = digestEmail(activity, `${config.baseUrl}/creator/sales`);
  await enqueueEmail(tx, secrets, { to: creator.email, content, storeId: null });
}

const later = (one: Id, other: Id): Id => (one > other ? one : other);

/** Queries only the kinds of activity that the creator did not turn off. */
async function loadActivity(tx: Transaction, creatorId: Id<'crt'>, span: IdRange): Promise<readonly StoreActivity[]> {
  const off = await listDisabledEmails(tx, creatorId);
  const wants = (kind: CreatorEmailKind) => !off.has(kind);
  const storeIds = await listStoresOfCreator(tx, creatorId);
  const stores = await storesById(tx, storeIds);
  const all: StoreActivity[] = [];
  for (const storeId of storeIds) {
    const query = { storeId, creatorId, ...span };
    const refused = wants('refused') ? await listRejected(tx, query, rejectedNamedMax + 1) : [];
    all.push({
      storeName: stores.get(storeId)?.name ?? '',
      opened: wants('new_commissions') ? await sumOpened(tx, query) : noActivity,
      approved: wants('approved') ? await sumApproved(tx, query) : noActivity,
      refused: refused.slice(0, rejectedNamedMax),
      hasMoreRefused: refused.length > rejectedNamedMax,
    });
  }
  return all.filter(hasActivity);
}

const noActivity = { count: 0n, amount: noCents };
