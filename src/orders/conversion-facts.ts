import { isSameContent } from '../contract/sameness.ts';
import type { KeyRing } from '../clicks/signing-keys.ts';
import { seeClicks, type ClickSeen } from '../clicks/see.ts';
import { suspendedCreators } from '../creators/standing-sql.ts';
import { termsInForce, type Terms } from '../merchants/terms.ts';
import { termsOfPrograms } from '../merchants/terms-sql.ts';
import type { Transaction } from '../platform/database/database.ts';
import { newId, type Id } from '../platform/ids.ts';
import type { ConversionFacts, EarlierOrder, ReferralClick, TestClick } from './decide-conversion.ts';
import { keyOf, storeOf, type ConversionItem } from './item.ts';
import { conversionLists } from './report.ts';
import { byOrder, claimedClicks, earlyReversals, nameOf, ordersByHash, testOrders } from './sql.ts';

export type ConversionWithFacts = { readonly item: ConversionItem; readonly facts: ConversionFacts };

/** What the decisions need, for all conversions of a batch at once: a statement per question, not per order. */
export async function conversionFacts(
  tx: Transaction,
  ring: KeyRing,
  items: readonly ConversionItem[],
  now: Date,
): Promise<readonly ConversionWithFacts[]> {
  if (items.length === 0) return [];
  const keys = items.map(keyOf);
  const seen = await seeClicks(
    tx,
    ring,
    items.map((item) => ({ storeId: storeOf(item), text: item.report.clickId })),
  );
  const referrals = seen.filter((click) => click?.kind === 'referral');
  // All in one round trip, answered in this order. The claims before the orders: who is seen to have claimed a click is then
  // seen with its order. Read the other way round, a copy whose first one commits in between would be told that its click
  // backs another order.
  const [claims, kept, reversedEarly, keptTests, terms, suspended] = await Promise.all([
    claimedClicks(tx, referrals),
    ordersByHash(tx, keys),
    earlyReversals(tx, keys),
    testOrders(tx, items.filter(isTest).map(keyOf)),
    termsOfPrograms(tx, referrals),
    suspendedCreators(
      tx,
      referrals.map(({ creatorId }) => creatorId),
    ),
  ]);
  const claimed = new Set(claims.map(({ storeId, clickId }) => `${storeId} ${clickId}`));
  const orders = byOrder(kept);
  const early = byOrder(reversedEarly);
  const tests = byOrder(keptTests);

  const clickOf = (item: ConversionItem, click: ClickSeen | null): ReferralClick | TestClick | null => {
    if (click === null || click.kind === 'test') return click;
    return {
      ...click,
      backsAnotherOrder: claimed.has(`${click.storeId} ${click.clickId}`),
      isCreatorSuspended: suspended.has(click.creatorId),
      terms: termsAt(terms.get(click.programId), item.report.occurredAt),
    };
  };
  return items.map((item, place) => ({
    item,
    facts: {
      now,
      storeId: storeOf(item),
      earlier: item.report.isTest ? null : earlierOf(item, orders.get(nameOf(keyOf(item)))),
      click: clickOf(item, seen[place] ?? null),
      wasReversedEarly: early.has(nameOf(keyOf(item))),
      // A test order is judged afresh each time, but it is the same order: its reversal names it by one id.
      fresh: { transactionId: tests.get(nameOf(keyOf(item)))?.transactionId ?? newId<'ord'>(now), commissionId: newId<'com'>(now) },
    },
  }));
}

type Kept = {
  readonly transactionId: Id<'ord'>;
  readonly commissionId: Id<'com'>;
  readonly contentHash: Buffer;
  readonly recordedAt: Date;
};

function earlierOf({ report }: ConversionItem, kept: Kept | undefined): EarlierOrder | null {
  if (!kept) return null;
  const { transactionId, commissionId, recordedAt, contentHash } = kept;
  return { transactionId, commissionId, recordedAt, isSame: isSameContent(contentHash, conversionLists, report.content) };
}

/** A time that cannot be read is refused before the terms are looked at. */
function termsAt(versions: readonly Terms[] | undefined, occurredAt: Date | 'unreadable'): Terms | null {
  if (versions === undefined || occurredAt === 'unreadable') return null;
  return termsInForce(versions, occurredAt);
}

const isTest = ({ report }: ConversionItem): boolean => report.isTest;
