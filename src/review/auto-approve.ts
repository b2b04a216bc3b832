import {
  findNextAutoApproval,
  findNextUnannouncedApproval,
  lockDueForAutoApproval,
  markAnnounced,
  listStoresDueForAutoApproval,
  listUnannouncedApprovals,
  type ReviewedCommission,
  type UnannouncedApprovals,
} from '../commissions/review-sql.ts';
import { listSuspendedCreators } from '../creators/suspended-creators-sql.ts';
import { findStore } from '../merchants/stores-sql.ts';
import { enqueueEmail } from '../people/enqueue-email.ts';
import type { Queryable } from '../db/database.ts';
import { publicId, type Id } from '../core/ids.ts';
import { cents, sum } from '../core/money.ts';
import { invariant } from '../core/invariant.ts';
import type { Platform } from '../runtime/platform.ts';
import { tenantFailures } from '../queue/tenant-failures.ts';
import { plusDays } from '../core/time.ts';
import { autoApprovalEmail } from './review-emails.ts';
import { reviewedPerTransactionMax, applyReview, type Review } from './apply-review.ts';
import { listReviewers } from './review-emails.ts';
import { boundedKeysetPages, itself, processBoundedKeysetPages } from '../db/keyset-pages.ts';

/** Announcements go out once a day, so announcing three days ahead is announcing at least two days before. */
const noticeDays = 2;
const announceDaysAhead = noticeDays + 1;

const storesPerPage = 1_000;
const pagesMax = 10_000;

/**
 * Runs hourly and approves commissions whose `auto_approve_at` has passed. Every commission is announced at least two days before: after a
 * hold or a failed announcement the approval is later, the notice is never shorter.
 */
export const autoApproveDue = (platform: Platform, now: Date): Promise<void> =>
  forEachStore(platform, now, (storeId) => autoApproveStore(platform, storeId, now));

/** Runs daily and sends each reviewer of a store one email about the commissions that will be approved. */
export function announceAutoApprovals(platform: Platform, now: Date): Promise<void> {
  const until = plusDays(now, announceDaysAhead);
  return forEachStore(platform, until, (storeId) => announceForStore(platform, storeId, { now, until }));
}

/** Null if no commission is due for automatic approval. */
export const nextAutoApprovalAt = ({ database }: Platform): Promise<Date | null> => findNextAutoApproval(database, noticeDays);

/** When the next approval has to be announced, null where none has. */
export async function nextAnnouncementAt({ database }: Platform): Promise<Date | null> {
  const approval = await findNextUnannouncedApproval(database);
  return approval === null ? null : plusDays(approval, -announceDaysAhead);
}

async function forEachStore(platform: Platform, until: Date, work: (storeId: Id<'store'>) => Promise<void>): Promise<void> {
  const failures = tenantFailures(platform.log, 'The automatic approvals of stores failed');
  const pages = boundedKeysetPages<Id<'store'>, Id<'store'>>({ rowsPerPage: storesPerPage, pagesMax }, itself, (page) =>
    listStoresDueForAutoApproval(platform.database, { until, ...page }),
  );
  for await (const stores of pages) for (const storeId of stores) await failures.run(publicId('store', storeId), () => work(storeId));
  failures.raise();
}

async function autoApproveStore({ database }: Platform, storeId: Id<'store'>, now: Date): Promise<void> {
  const announcedBefore = plusDays(now, -noticeDays);
  const review: Review = {
    storeId,
    action: { do: 'approve', note: null },
    by: { actor: 'system', name: 'automatic approval' },
    now: () => now,
  };
  const bounds = { rowsPerPage: reviewedPerTransactionMax, pagesMax };
  const keyOf = ({ commissionId }: ReviewedCommission) => commissionId;
  await processBoundedKeysetPages(bounds, keyOf, (page) =>
    database.transaction(async (tx) => {
      const due = await lockDueForAutoApproval(tx, storeId, { now, announcedBefore, ...page });
      const suspended = await listSuspendedCreators(
        tx,
        due.map(({ creatorId }) => ({ storeId, creatorId })),
      );
      await applyReview(
        tx,
        review,
        due.filter(({ creatorId }) => !suspended.has(creatorId)),
      );
      return due;
    }),
  );
}

/** Emails first, then marks: a crash in between announces twice rather than never. */
async function announceForStore(
  platform: Platform,
  storeId: Id<'store'>,
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<void> {
  const { database } = platform;
  const unannounced = await listUnannouncedOfActiveCreators(database, storeId, until);
  if (unannounced.length === 0) return;
  await database.transaction((tx) => enqueueAnnouncements(tx, platform, storeId, unannounced));
  const announced = { until, creatorIds: unannounced.map(({ creatorId }) => creatorId), at: now, limit: reviewedPerTransactionMax };
  for (let round = 0; round < pagesMax; round++) if ((await markAnnounced(database, storeId, announced)) < announced.limit) return;
}

/** Commissions of suspended creators are announced after the suspension ends. */
async function listUnannouncedOfActiveCreators(db: Queryable, storeId: Id<'store'>, until: Date): Promise<readonly UnannouncedApprovals[]> {
  const unannounced = await listUnannouncedApprovals(db, storeId, until);
  const suspended = await listSuspendedCreators(
    db,
    unannounced.map(({ creatorId }) => ({ storeId, creatorId })),
  );
  return unannounced.filter(({ creatorId }) => !suspended.has(creatorId));
}

async function enqueueAnnouncements(
  db: Queryable,
  platform: Platform,
  storeId: Id<'store'>,
  unannounced: readonly UnannouncedApprovals[],
): Promise<void> {
  const store = await findStore(db, storeId);
  invariant(store, 'stores are never deleted');
  const content = autoApprovalEmail({
    storeName: store.name,
    count: unannounced.reduce((total, { count }) => total + count, 0n),
    amount: sum(unannounced.map(({ amountCents }) => cents(amountCents))),
    first: new Date(Math.min(...unannounced.map(({ first }) => first.getTime()))),
    url: `${platform.config.baseUrl}/stores/${publicId('store', storeId)}/conversions?approves_itself_within_days=${announceDaysAhead}`,
  });
  for (const { email } of await listReviewers(db, storeId, 'approvals'))
    await enqueueEmail(db, platform.secrets, { to: email, content: content, storeId });
}
