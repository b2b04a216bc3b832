import { noFilter } from '../../commissions/commission-filter.ts';
import { listCommissions } from '../../commissions/list-commissions-sql.ts';
import { invariant } from '../../core/invariant.ts';
import { hourMs, plusDays } from '../../core/time.ts';
import { isRefusal } from '../../http/responses.ts';
import { reviewByFilter } from '../../review/bulk-review.ts';
import type { ReviewAction } from '../../review/decide-review.ts';
import { openDispute } from '../../review/disputes.ts';
import type { Platform } from '../../runtime/platform.ts';
import type { Random } from './random.ts';
import { creators, disputeText, rejectionReasons } from './story.ts';
import type { Past, Year } from './year.ts';

type Deciding = { readonly at: Date; readonly random: Random };
type Decision = { readonly at: Date; readonly action: ReviewAction; readonly filter: Partial<typeof noFilter>; readonly about: object };

/** Returns how many commissions were decided. */
async function decide(year: Year, { database }: Platform, { at, action, filter, about }: Decision): Promise<number> {
  const review = { storeId: year.storeId, action, by: year.merchant, now: () => at };
  const { counts } = await reviewByFilter(database, review, { ...noFilter, ...filter });
  const { do: word, ...details } = action;
  if (counts.ok > 0) await year.audit(at, `commissions.${word}`, `/commissions/${word}`, { ...details, filter: about, counts });
  return counts.ok;
}

/** Mondays and Thursdays the merchant reviews: a few are rejected with a reason or held, and what is older than three days is approved. */
export async function reviewFor(year: Year, { platform }: Past, { at, random }: Deciding): Promise<void> {
  const recent = year.sales.slice(-12);
  const rejected = random.isOneIn(2) ? recent[random.whole(0, recent.length - 1)] : undefined;
  if (rejected !== undefined) {
    const { orderId } = rejected;
    const action = { do: 'reject', reason: random.oneOf(rejectionReasons), note: null } as const;
    await decide(year, platform, { at, action, filter: { state: 'pending', orderId }, about: { order_id: orderId } });
  }
  const held = random.isOneIn(14) ? recent.at(-1) : undefined;
  if (held !== undefined) await holdForDays(year, platform, held.orderId, at);
  const to = plusDays(at, -3);
  const about = { held: false, to: to.toISOString() };
  await decide(year, platform, { at, action: { do: 'approve', note: null }, filter: { state: 'pending', held: false, to }, about });
}

async function holdForDays(year: Year, platform: Platform, orderId: string, at: Date): Promise<void> {
  const about = { order_id: orderId };
  const hold = { do: 'hold', reason: 'fraud_review', note: 'Checking the delivery address with the customer' } as const;
  if ((await decide(year, platform, { at, action: hold, filter: { state: 'pending', orderId }, about })) === 0) return;
  const releasedAt = new Date(plusDays(at, 4).getTime() + 5 * hourMs);
  const release = { do: 'release', note: 'The customer confirmed the order' } as const;
  const run = async () => void (await decide(year, platform, { at: releasedAt, action: release, filter: { orderId, held: true }, about }));
  year.agenda.push({ at: releasedAt, run });
}

const rejectedBeforeEnd = 9;
const reasonOfDispute = 'Coupon site';

/** Shortly before the end, the merchant rejects an order by mistake. The creator disputes it on the next day, and the answer is open. */
export function planDispute(year: Year, { platform }: Past, { days, begin }: { readonly days: number; readonly begin: Date }): void {
  if (days <= rejectedBeforeEnd) return;
  const at = new Date(plusDays(begin, days - rejectedBeforeEnd).getTime() + 14 * hourMs);
  const [{ name }] = creators;
  const run = async () => {
    const candidates = year.sales.filter(({ link }) => link.creator.name === name && link.placement.subId === 'grinder-review');
    for (const { orderId, link } of candidates.toReversed()) {
      const action = { do: 'reject', reason: reasonOfDispute, note: null } as const;
      const filter = { orderId, held: false } as const;
      if ((await decide(year, platform, { at, action, filter, about: { order_id: orderId } })) === 0) continue;
      year.disputedOrderId = orderId;
      const disputedAt = plusDays(at, 1);
      year.agenda.push({
        at: disputedAt,
        sendsEmails: true,
        run: () => dispute(year, platform, { orderId, creatorId: link.creatorId, at: disputedAt }),
      });
      return;
    }
  };
  year.agenda.push({ at, run });
}

type Disputed = { readonly orderId: string; readonly creatorId: Year['creatorIds'][number]; readonly at: Date };

async function dispute({ database, storeId }: Year, platform: Platform, { orderId, creatorId, at }: Disputed): Promise<void> {
  const [commission] = await listCommissions(database, storeId, { ...noFilter, orderId }, { after: null, limit: 1 });
  invariant(commission, 'the order that was rejected has a commission');
  const { commissionId } = commission;
  const opened = await database.transaction((tx) =>
    openDispute(tx, platform, { storeId, commissionId, creatorId, words: disputeText, now: at }),
  );
  invariant(!isRefusal(opened), 'a rejected commission can be disputed');
}
