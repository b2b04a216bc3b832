import type { KeyRing } from '../clicks/signing-keys.ts';
import type { Reason } from '../contract/reasons.ts';
import type { Outcome } from '../contract/reply.ts';
import type { Why } from '../contract/why.ts';
import { leaveBatch, type Attempt } from '../platform/batch-attempts.ts';
import type { Database } from '../platform/database/database.ts';
import { lineOf } from '../tracking/line.ts';
import { concernsItsCreator, type RefusedOrder } from '../creators/refused-sql.ts';
import { writeChanges, type Changes } from './changes.ts';
import { conversionFacts } from './conversion-facts.ts';
import { decideConversion, type ReferralClick, type TestClick } from './decide-conversion.ts';
import { decideReversal } from './decide-reversal.ts';
import { isConversion, isReversal, keyOf, type ConversionItem, type Item } from './item.ts';
import { outcomeOfConversion, outcomeOfReversal, type Told } from './outcome.ts';
import { reversalFacts } from './reversal-facts.ts';

export type CarryOutParts = { readonly database: Database; readonly ring: KeyRing; readonly now: () => Date };
type Answers = ReadonlyArray<Outcome | typeof leaveBatch>;

/** One transaction for a batch of one-time reports: load, decide one by one, write set by set, commit, answer. */
export async function carryOut(parts: CarryOutParts, items: readonly Item[], attempt: Attempt): Promise<Answers> {
  return parts.database.transaction(async (tx) => {
    const now = parts.now();
    const conversions = (await conversionFacts(tx, parts.ring, items.filter(isConversion), now)).map(({ item, facts }) => ({
      item,
      click: facts.click,
      decision: decideConversion(item.report, facts),
    }));
    const reversals = (await reversalFacts(tx, items.filter(isReversal), now, attempt.lockWaitMs)).map(({ item, facts }) => ({
      item,
      decision: facts && decideReversal(item.report, facts),
    }));
    const answers = new Map<Item, Told>();
    for (const { item, decision } of conversions) answers.set(item, outcomeOfConversion(decision));
    for (const { item, decision } of reversals) if (decision) answers.set(item, outcomeOfReversal(decision));

    const lines = [...answers].map(([item, told]) =>
      lineOf(item.postback, { ...told, subject: item.report.orderId, isTest: isTest(item), at: now }),
    );
    await writeChanges(tx, changesOf(conversions, reversals, now), { now, lines });
    return items.map((item) => answers.get(item)?.outcome ?? leaveBatch);
  }, attempt.commitSent);
}

const isTest = (item: Item): boolean => item.is === 'conversion' && item.report.isTest;

type DecidedConversion = {
  readonly item: ConversionItem;
  readonly click: ReferralClick | TestClick | null;
  readonly decision: ReturnType<typeof decideConversion>;
};
/** Null: somebody else holds its commission; nothing was done for it, and it leaves the batch. */
type DecidedReversal = { readonly item: Item; readonly decision: ReturnType<typeof decideReversal> | null };

function changesOf(conversions: readonly DecidedConversion[], reversals: readonly DecidedReversal[], now: Date): Changes {
  const recorded: Array<Changes['recorded'][number]> = [];
  const verified: Array<Changes['verified'][number]> = [];
  const reversed: Array<Changes['reversed'][number]> = [];
  const early: Array<Changes['early'][number]> = [];
  const refused: Array<Changes['refused'][number]> = [];
  for (const { item, click, decision } of conversions) {
    if (decision.do === 'refuse' && click !== null) refused.push(...refusedFor(item, click, { ...decision, at: now }));
    if (decision.do === 'record') recorded.push({ ...keyOf(item), ...decision });
    if (decision.do === 'verify') verified.push({ ...keyOf(item), orderId: item.report.orderId, transactionId: decision.transactionId });
  }
  for (const { item, decision } of reversals) {
    if (decision?.do === 'reverse') reversed.push({ ...keyOf(item), ...decision });
    if (decision?.do === 'remember') early.push(keyOf(item));
  }
  return { recorded, verified, reversed, early, refused };
}

type RefusedAs = { readonly reason: Reason; readonly why: Why; readonly at: Date };

/** What its creator reads of a refusal; a test order and a test click have no creator. */
function refusedFor(item: ConversionItem, click: ReferralClick | TestClick, { reason, why, at }: RefusedAs): readonly RefusedOrder[] {
  if (click.kind === 'test' || item.report.isTest || !concernsItsCreator(reason)) return [];
  const { creatorId, programId, linkNumber, clickId } = click;
  const { storeId, orderHash: subjectHash } = keyOf(item);
  return [{ storeId, creatorId, programId, linkNumber, clickId, operation: 'conversion', subjectHash, reason, why, at }];
}
