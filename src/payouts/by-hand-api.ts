import { Type as T, type Static } from 'typebox';
import { endpoint } from '../people/endpoint.ts';
import type { Identity } from '../people/identity.ts';
import { isTransaction, type Queryable, type Transaction } from '../platform/database/database.ts';
import { isRefusal, notFound, refuse, type Refusal } from '../platform/http/answers.ts';
import { isoTime } from '../platform/http/fields.ts';
import type { Id } from '../platform/ids.ts';
import { must, never } from '../platform/must.ts';
import type { Platform } from '../platform/platform.ts';
import type { Providers } from '../providers/providers.ts';
import { judge } from './confirmations.ts';
import { insertConfirmation } from './confirmations-sql.ts';
import { decideByHand, surelyNeverSentAt, type HandAction } from './decide-by-hand.ts';
import { confirmWords } from './decide-confirm.ts';
import type { PayoutNews } from './decide-payout-end.ts';
import { operatorsPayoutJson, showPayoutToOperator } from './payout-json.ts';
import { contradictionOf, type Payout, type PayoutKey } from './payout.ts';
import { failureNow, sendPayout } from './send.ts';
import { fail, settleLocked } from './settle.ts';
import { keepConfirmed, keepContradictionDecided, lockPayout, payoutKeyOf, readPayout } from './sql.ts';
import { tellStores } from './tell.ts';

const referenceLengthMax = 200;
const reasonLengthMax = 500;
const lineField = (maxLength: number, description: string) =>
  T.String({ minLength: 1, maxLength, pattern: String.raw`^(?=.*\S)[^\p{Cc}\p{Cs}]+$`, description });
const bodyOfReason = (description: string) =>
  T.Object({ reason: lineField(reasonLengthMax, description) }, { additionalProperties: false });
const reasonBody = bodyOfReason('What the creator is told');
const failedBody = bodyOfReason('What the creator is told; of one that had failed and was told paid nobody is, and the audit log keeps it');

const access = { who: 'operator' } as const;
const ids = { payout: 'pay' } as const;

/** Locked until the transaction ends; what is only being gathered is not there. */
async function held(db: Queryable, payoutId: Id<'pay'>): Promise<Held | Refusal> {
  must(isTransaction(db), 'what changes something runs in a transaction');
  const key = await payoutKeyOf(db, payoutId);
  const payout = key && (await lockPayout(db, key));
  return payout === null || payout.amountCents === null ? notFound : { tx: db, payout };
}
type Held = { readonly tx: Transaction; readonly payout: Payout };

type Reader = { readonly db: Queryable; readonly platform: Platform; readonly identity: Identity };

const shown = async (reader: Reader, key: PayoutKey): Promise<Static<typeof operatorsPayoutJson>> =>
  showPayoutToOperator(reader, await readPayout(reader.db, key));

const waitsForNobody = refuse('conflict', confirmWords.not_waiting);

export const confirmPayout = (providers: Providers) =>
  endpoint({
    summary: 'Confirm a payout above the limit; it is sent once enough people did',
    access,
    proof: true,
    ids,
    reply: operatorsPayoutJson,
    audit: 'payout.confirm',
    async handle({ platform, db, identity, ids: { payout: payoutId }, now }) {
      const found = await held(db, payoutId);
      if (isRefusal(found)) return found;
      const { tx, payout } = found;
      const viewer = identity.by.is === 'session' ? identity.by.userId : null;
      const decision = (await judge(tx, platform, { payout, viewer })).viewer;
      if (decision === 'not_waiting' || decision === 'confirmed_already') return refuse('conflict', confirmWords[decision]);
      if (decision !== 'go') return refuse('unprocessable', confirmWords[decision]);
      must(viewer, 'who may confirm is a person');
      // A payout to somebody who was suspended or perhaps paid since, or to another place than was looked at, is confirmed by nobody.
      const failure = await failureNow(tx, platform, payout);
      if (failure !== null) return refuse('unprocessable', `It cannot be sent any more. ${failure.message} It fails without your doing.`);
      await insertConfirmation(tx, payout, { userId: viewer, at: now });
      const { missing } = await judge(tx, platform, { payout, viewer });
      if (missing === 0) await keepConfirmed(tx, payout, { by: identity.actor, at: now });
      return shown({ db: tx, platform, identity }, payout);
    },
    /** Sends what is ready; what still waits for another person stays as it is. */
    async afterCommit({ platform, identity, ids: { payout: payoutId } }) {
      const key = await payoutKeyOf(platform.database, payoutId);
      must(key, 'payouts are never deleted');
      await sendPayout({ platform, providers }, key);
      await tellStores(platform, key);
      return shown({ db: platform.database, platform, identity }, key);
    },
  });

/** The stores hear of it after the commit. Where nobody comes to that, the next look at what is open tells them. */
async function toldStores({ platform, identity, ids: { payout: payoutId } }: Omit<Reader, 'db'> & { readonly ids: PayoutId }) {
  const key = await payoutKeyOf(platform.database, payoutId);
  must(key, 'payouts are never deleted');
  await tellStores(platform, key);
  return shown({ db: platform.database, platform, identity }, key);
}
type PayoutId = { readonly payout: Id<'pay'> };

export const refusePayout = endpoint({
  summary: 'Refuse a payout above the limit: its commissions are free for the next one',
  access,
  liveKeys: 'refused',
  ids,
  body: reasonBody,
  reply: operatorsPayoutJson,
  audit: 'payout.refuse',
  async handle({ platform, db, identity, ids: { payout: payoutId }, body, now }) {
    const found = await held(db, payoutId);
    if (isRefusal(found)) return found;
    const { tx, payout } = found;
    if (payout.state !== 'awaiting_second') return waitsForNobody;
    await fail(tx, platform, { payout, failure: { code: 'refused', message: body.reason }, at: now });
    return shown({ db: tx, platform, identity }, payout);
  },
  afterCommit: toldStores,
});

export const markPayoutPaid = (providers: Providers) =>
  endpoint({
    summary: 'Say that a payout was paid: by hand, or found so where nobody knew',
    access,
    proof: true,
    ids,
    body: T.Object({ reference: lineField(referenceLengthMax, 'By which it is found at the bank') }, { additionalProperties: false }),
    reply: operatorsPayoutJson,
    audit: 'payout.mark_paid',
    handle: (asked) => mark({ ...asked, providers }, 'mark_paid', { is: 'succeeded', providerId: asked.body.reference }),
    afterCommit: toldStores,
  });

export const markPayoutFailed = (providers: Providers) =>
  endpoint({
    summary: 'Say that a payout failed: by hand, or found so once its key is no longer sent; or that its money is back',
    access,
    proof: true,
    ids,
    body: failedBody,
    reply: operatorsPayoutJson,
    audit: 'payout.mark_failed',
    handle: ({ body, ...asked }) =>
      mark({ ...asked, providers }, 'mark_failed', { is: 'declined', providerId: null, code: 'by_hand', message: body.reason }),
    afterCommit: toldStores,
  });

export const markPayoutReturned = (providers: Providers) =>
  endpoint({
    summary: 'Say that a payout which was paid came back',
    access,
    proof: true,
    ids,
    body: reasonBody,
    reply: operatorsPayoutJson,
    audit: 'payout.mark_returned',
    handle: (asked) => mark({ ...asked, providers }, 'mark_returned', { is: 'returned', why: asked.body.reason }),
    afterCommit: toldStores,
  });

type AskedToMark = {
  readonly platform: Platform;
  readonly identity: Identity;
  readonly providers: Providers;
  readonly db: Queryable;
  readonly ids: PayoutId;
  readonly now: Date;
};

async function mark(
  { platform, identity, providers, db, ids: { payout: payoutId }, now }: AskedToMark,
  action: HandAction,
  news: PayoutNews,
) {
  const found = await held(db, payoutId);
  if (isRefusal(found)) return found;
  const { tx, payout } = found;
  const sureAt = sureAtOf(payout, providers);
  const decision = decideByHand(action, {
    state: payout.state,
    ends: payout.provider && (providers.payoutProvider(payout.provider)?.ends ?? null),
    isAnotherReference: news.is === 'succeeded' && news.providerId !== payout.providerId,
    isContradicted: contradictionOf(payout) === 'open',
    mayStillBeSent: sureAt !== null && now < sureAt,
  });
  switch (decision) {
    case 'go':
      await settleLocked(tx, platform, payout, news);
      return shown({ db: tx, platform, identity }, payout);
    case 'decides_contradiction':
      await keepContradictionDecided(tx, payout, now);
      return shown({ db: tx, platform, identity }, payout);
    case 'already':
      return shown({ db: tx, platform, identity }, payout);
    case 'another_reference':
      return refuse(
        'conflict',
        `It is paid already, by the reference ${payout.providerId}. Was it sent a second time? Then ask the bank for that money back.`,
      );
    case 'not_sent':
      return refuse('conflict', 'It was not sent yet, so that it cannot have ended.');
    case 'on_its_way':
      return refuse('conflict', 'It is on its way, and its provider says how it ends; only what is unknown is settled by hand.');
    case 'may_still_be_sent':
      must(sureAt, 'what may still be sent has an end of that');
      return refuse(
        'conflict',
        `It is still sent again under its key, so it may yet be paid. Look again after ${isoTime(sureAt)}: then its absence proves it.`,
      );
    case 'ended_otherwise':
      return refuse('conflict', 'It ended in another way; read it to see how it stands.');
    default:
      return never(decision);
  }
}

/** Null where nothing was ever sent. */
function sureAtOf({ provider, sentAt, askedAt }: Payout, providers: Providers): Date | null {
  if (sentAt === null || askedAt === null) return null;
  return surelyNeverSentAt({ sentAt, askedAt }, provider === null ? null : providers.payoutProvider(provider));
}
