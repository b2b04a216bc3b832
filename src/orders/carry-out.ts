import type { KeyRing } from '../clicks/signing-keys.ts';
import type { Outcome } from '../contract/reply.ts';
import { leaveBatch, type Attempt } from '../platform/batch-attempts.ts';
import type { Database } from '../platform/database/database.ts';
import { lineOf } from '../tracking/line.ts';
import { writeChanges, type Changes } from './changes.ts';
import { conversionFacts } from './conversion-facts.ts';
import { decideConversion } from './decide-conversion.ts';
import { decideReversal } from './decide-reversal.ts';
import { isConversion, isReversal, keyOf, type Item } from './item.ts';
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
    await writeChanges(tx, changesOf(conversions, reversals), { now, lines });
    return items.map((item) => answers.get(item)?.outcome ?? leaveBatch);
  }, attempt.commitSent);
}

const isTest = (item: Item): boolean => item.is === 'conversion' && item.report.isTest;

type DecidedConversion = { readonly item: Item; readonly decision: ReturnType<typeof decideConversion> };
/** Null: somebody else holds its commission; nothing was done for it, and it leaves the batch. */
type DecidedReversal = { readonly item: Item; readonly decision: ReturnType<typeof decideReversal> | null };

function changesOf(conversions: readonly DecidedConversion[], reversals: readonly DecidedReversal[]): Changes {
  const recorded: Array<Changes['recorded'][number]> = [];
  const verified: Array<Changes['verified'][number]> = [];
  const reversed: Array<Changes['reversed'][number]> = [];
  const early: Array<Changes['early'][number]> = [];
  for (const { item, decision } of conversions) {
    if (decision.do === 'record') recorded.push({ ...keyOf(item), ...decision });
    if (decision.do === 'verify') verified.push({ ...keyOf(item), orderId: item.report.orderId, transactionId: decision.transactionId });
  }
  for (const { item, decision } of reversals) {
    if (decision?.do === 'reverse') reversed.push({ ...keyOf(item), ...decision });
    if (decision?.do === 'remember') early.push(keyOf(item));
  }
  return { recorded, verified, reversed, early };
}
