import {
  earliestAnnounced,
  lockApprovingThemselves,
  markTold,
  storesApprovingThemselves,
  untoldApprovals,
  type ReviewedCommission,
  type Untold,
} from '../commissions/review-sql.ts';
import { suspendedCreators } from '../creators/standing-sql.ts';
import { findStore } from '../merchants/stores-sql.ts';
import { keepMail } from '../notify/mail.ts';
import type { Queryable } from '../platform/database/database.ts';
import { publicId, type Id } from '../platform/ids.ts';
import { cents, sum } from '../platform/money.ts';
import { must } from '../platform/must.ts';
import type { Platform } from '../platform/platform.ts';
import { tenantFailures } from '../platform/tenant-failures.ts';
import { plusDays } from '../platform/time.ts';
import { approvalLetter } from './letter.ts';
import { reviewedPerTransactionMax, reviewLocked, type Review } from './review.ts';
import { reviewersOf } from './reviewers.ts';

/** Announcements go out once a day, so announcing three days ahead is announcing at least two days before. */
const toldDaysBefore = 2;
const tellDaysAhead = toldDaysBefore + 1;

const storesPerRound = 1_000;
const roundsMax = 10_000;

/**
 * Approves, each hour, the commissions whose `auto_approve_at` has come: never before it, and within the hour after it. Nothing
 * approves itself without an announcement: a hold, or an announcement that failed, moves the approval, not the two days between them.
 */
export const approveByTime = (platform: Platform, now: Date): Promise<void> =>
  eachStore(platform, now, (storeId) => approveDue(platform, storeId, now));

/** Announces, once a day, what will approve itself: one email a day to each reviewer of a store, however much it is about. */
export function tellOfComingApprovals(platform: Platform, now: Date): Promise<void> {
  const until = plusDays(now, tellDaysAhead);
  return eachStore(platform, until, (storeId) => tellOfApprovals(platform, storeId, { now, until }));
}

/** When the next commission approves itself, null where none will. */
export const earliestApproval = ({ database }: Platform): Promise<Date | null> => earliestAnnounced(database, toldDaysBefore);

async function eachStore(platform: Platform, until: Date, work: (storeId: Id<'store'>) => Promise<void>): Promise<void> {
  let after: Id<'store'> | null = null;
  const failures = tenantFailures(platform.log, 'The automatic approvals of stores failed');
  for (let round = 0; round < roundsMax; round++) {
    const stores: ReadonlyArray<Id<'store'>> = await storesApprovingThemselves(platform.database, { until, after, limit: storesPerRound });
    for (const storeId of stores) await failures.run(publicId('store', storeId), () => work(storeId));
    if (stores.length < storesPerRound) break;
    after = stores.at(-1) ?? null;
  }
  failures.raise();
}

async function approveDue({ database }: Platform, storeId: Id<'store'>, now: Date): Promise<void> {
  const toldBy = plusDays(now, -toldDaysBefore);
  const review: Review = {
    storeId,
    action: { do: 'approve', note: null },
    by: { actor: 'system', name: 'automatic approval' },
    now: () => now,
  };
  let after: Id<'com'> | null = null;
  for (let round = 0; round < roundsMax; round++) {
    const stretch = { now, toldBy, after, limit: reviewedPerTransactionMax };
    const locked: readonly ReviewedCommission[] = await database.transaction(async (tx) => {
      const due = await lockApprovingThemselves(tx, storeId, stretch);
      const suspended = await suspendedCreators(
        tx,
        due.map(({ creatorId }) => creatorId),
      );
      await reviewLocked(
        tx,
        review,
        due.filter(({ creatorId }) => !suspended.has(creatorId)),
      );
      return due;
    });
    if (locked.length < reviewedPerTransactionMax) return;
    after = locked.at(-1)?.commissionId ?? null;
  }
}

/** The mails first, then the marks: a death in between tells twice rather than never. */
async function tellOfApprovals(
  platform: Platform,
  storeId: Id<'store'>,
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<void> {
  const { database } = platform;
  const untold = await untoldOfActive(database, storeId, until);
  if (untold.length === 0) return;
  await database.transaction((tx) => keepMails(tx, platform, storeId, untold));
  const told = { until, creatorIds: untold.map(({ creatorId }) => creatorId), at: now, most: reviewedPerTransactionMax };
  for (let round = 0; round < roundsMax; round++) if ((await markTold(database, storeId, told)) < told.most) return;
}

/** A suspended creator's commissions wait, and are told of once they no longer do. */
async function untoldOfActive(db: Queryable, storeId: Id<'store'>, until: Date): Promise<readonly Untold[]> {
  const untold = await untoldApprovals(db, storeId, until);
  const suspended = await suspendedCreators(
    db,
    untold.map(({ creatorId }) => creatorId),
  );
  return untold.filter(({ creatorId }) => !suspended.has(creatorId));
}

async function keepMails(db: Queryable, platform: Platform, storeId: Id<'store'>, untold: readonly Untold[]): Promise<void> {
  const store = await findStore(db, storeId);
  must(store, 'stores are never deleted');
  const letter = approvalLetter({
    storeName: store.name,
    count: untold.reduce((total, { count }) => total + count, 0n),
    amount: sum(untold.map(({ amountCents }) => cents(amountCents))),
    first: new Date(Math.min(...untold.map(({ first }) => first.getTime()))),
    url: `${platform.config.baseUrl}/stores/${publicId('store', storeId)}/conversions?approves_itself_within_days=${tellDaysAhead}`,
  });
  for (const { email } of await reviewersOf(db, storeId, 'approvals')) await keepMail(db, platform.secrets, { to: email, letter, storeId });
}
