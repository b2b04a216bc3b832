import { methodCameBack } from '../creators/payout-methods-sql.ts';
import { wantsMail } from '../creators/wanted-mails-sql.ts';
import { moveOfCreator, payoutWays } from '../ledger/creator-posting.ts';
import { postOfCreator } from '../ledger/creator-sql.ts';
import { keepMail } from '../notify/mail.ts';
import type { Letter } from '../notify/letter.ts';
import type { Transaction } from '../platform/database/database.ts';
import { publicId } from '../platform/ids.ts';
import type { Cents } from '../platform/money.ts';
import { must, never } from '../platform/must.ts';
import type { Platform } from '../platform/platform.ts';
import { decidePayoutEnd, type Failure, type PayoutEnd, type PayoutNews } from './decide-payout-end.ts';
import { failedLetter, paidLetter, returnedLetter } from './letter.ts';
import { contradictionOf, type Payout, type PayoutKey } from './payout.ts';
import {
  amountsOfPayout,
  keepContradicted,
  keepContradictionDecided,
  keepFailed,
  keepPaid,
  keepReturned,
  keepWaiting,
  lockPayout,
} from './sql.ts';
import { standingOf } from './standing.ts';
import { auditContradiction, tellOfContradiction } from './tell-operators.ts';

/** What was heard is decided under the payout's lock, so that it may come from anywhere, twice, and in any order. */
export async function settle(platform: Platform, key: PayoutKey, news: PayoutNews): Promise<void> {
  await platform.database.transaction(async (tx) => settleLocked(tx, platform, await lockPayout(tx, key), news));
  platform.reached('payouts: settled');
}

/** Who calls this holds the payout. */
export async function settleLocked(tx: Transaction, platform: Platform, payout: Payout, news: PayoutNews): Promise<void> {
  const end = decidePayoutEnd({ state: payout.state, contradiction: contradictionOf(payout) }, news);
  // What waits is asked about for as long as it takes; that it still waits is worth no line.
  if (end.do === 'wait' && payout.state === end.as && (end.providerId === null || end.providerId === payout.providerId)) return;
  const told = { payout: publicId('pay', payout.payoutId), heard: news.is, end: end.do };
  if (end.do === 'wonder' || end.do === 'contradict')
    platform.log.error({ ...told, why: end.why }, 'payouts: news that cannot be; somebody has to look');
  else if (end.do !== 'nothing') platform.log.info(told, 'payouts: settled');
  await carryOut(tx, platform, { payout, end, at: platform.clock.now() });
}

type Ending = { readonly payout: Payout; readonly end: PayoutEnd; readonly at: Date };

async function carryOut(tx: Transaction, platform: Platform, { payout, end, at }: Ending): Promise<void> {
  switch (end.do) {
    case 'pay':
      await keepPaid(tx, payout, { providerId: end.providerId, at });
      await postEnd(tx, payout, { way: payoutWays.arrived, at });
      return tell(tx, platform, { payout, kind: 'paid', letter: paidLetter });
    case 'fail':
      return fail(tx, platform, { payout, failure: end.failure, at });
    case 'return':
      await keepReturned(tx, payout, { failure: end.failure, at });
      if (!end.hadArrived) await postEnd(tx, payout, { way: payoutWays.arrived, at });
      await postEnd(tx, payout, { way: payoutWays.cameBack, at });
      must(payout.payoutMethodId !== null, 'what came back was sent somewhere');
      await methodCameBack(tx, { creatorId: payout.creatorId, payoutMethodId: payout.payoutMethodId }, at);
      return tell(tx, platform, {
        payout,
        kind: 'failed',
        letter: (facts) => returnedLetter({ ...facts, why: end.failure.message }),
      });
    case 'wait':
      return keepWaiting(tx, payout, end);
    case 'contradict':
      await keepContradicted(tx, payout, at);
      return tellOfContradiction(tx, platform, { payout, why: end.why, at });
    case 'decide_contradiction':
      await keepContradictionDecided(tx, payout, at);
      return auditContradiction(tx, { payout, action: 'payout.contradiction_decided', details: { why: end.why }, at });
    case 'nothing':
    case 'wonder':
      return;
    default:
      return never(end);
  }
}

/** Also for what was gathered and then not sent. Who calls this holds the payout. */
export async function fail(
  tx: Transaction,
  platform: Platform,
  { payout, failure, at }: { readonly payout: Payout; readonly failure: Failure; readonly at: Date },
): Promise<void> {
  await keepFailed(tx, payout, { failure, at });
  await postEnd(tx, payout, { way: payoutWays.failed, at });
  // A creator was promised nothing by a payout that was never sent.
  if (payout.sentAt === null) return;
  await tell(tx, platform, { payout, kind: 'failed', letter: (facts) => failedLetter({ ...facts, why: failure.message }) });
}

type Way = (typeof payoutWays)[keyof typeof payoutWays];

async function postEnd(tx: Transaction, key: PayoutKey, { way, at }: { readonly way: Way; readonly at: Date }): Promise<void> {
  const amounts = await amountsOfPayout(tx, key);
  const fact = { source: { kind: 'payout_end', id: key.payoutId }, at } as const;
  await postOfCreator(
    tx,
    key.creatorId,
    amounts.flatMap((money) => moveOfCreator({ creatorId: key.creatorId, ...money }, way, fact)),
  );
}

type LetterFacts = { readonly amount: Cents; readonly url: string };

type Telling = { readonly payout: Payout; readonly kind: 'paid' | 'failed'; readonly letter: (facts: LetterFacts) => Letter };

/** Unless the creator said that they want no such mail. */
async function tell(tx: Transaction, { config, secrets }: Platform, { payout, kind, letter }: Telling): Promise<void> {
  if (!(await wantsMail(tx, payout.creatorId, kind))) return;
  must(payout.amountCents !== null, 'a payout that was sent has an amount');
  const { email } = await standingOf(tx, payout.creatorId);
  const url = `${config.baseUrl}/creator`;
  await keepMail(tx, secrets, { to: email, letter: letter({ amount: payout.amountCents, url }), storeId: null });
}
