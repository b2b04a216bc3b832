import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { endpoint } from '../people/endpoint.ts';
import type { Identity } from '../people/identity.ts';
import { isTransaction, type Queryable, type Transaction } from '../db/database.ts';
import { isRefusal, notFound, type Refusal, refuse } from '../http/responses.ts';
import { isoTime } from '../http/fields.ts';
import { type Id, publicId } from '../core/ids.ts';
import { invariant, never } from '../core/invariant.ts';
import type { Platform } from '../runtime/platform.ts';
import type { Money, Providers } from '../payments/providers.ts';
import { surelyAbsentAt } from '../money-movement/decide-resume.ts';
import { judgeConfirmations } from './confirm-payout.ts';
import { findPayoutKey, insertConfirmation, lockPayout, readPayout, saveConfirmed, saveContradictionDecided } from './payouts-sql.ts';
import { decideManualPayout, isPaidManually, type ManualAction } from './decide-manual-payout.ts';
import { confirmMessages } from './decide-confirm.ts';
import type { PayoutOutcome } from './decide-payout.ts';
import { operatorsPayoutJson, showPayoutInFile, showPayoutToOperator } from './payout-json.ts';
import { contradictionOf, type Payout, type PayoutKey } from './payout.ts';
import { findFailureBeforeSending, isOnHoldNow, sendPayout } from './send-payout.ts';
import { applyResultToStores, failPayout, settlePayoutLocked } from './settle-payout.ts';
import { creatorNames } from '../creators/creators-sql.ts';
import { destinationBoundTo, openDestination } from '../creators/payout-methods.ts';
import type { SealedColumn } from '../db/sealed-columns.ts';
import { fieldColumns, type CsvColumn } from '../http/csv.ts';
import { apiMessage } from '../messages/api-message.ts';

const referenceLengthMax = 200;

const reasonLengthMax = 500;

const lineField = (maxLength: number, description: string) =>
  T.String({ minLength: 1, maxLength, pattern: String.raw`^(?=.*\S)[^\p{Cc}\p{Cs}]+$`, description });

const bodyOfReason = (description: string) =>
  T.Object({ reason: lineField(reasonLengthMax, description) }, { additionalProperties: false });

const reasonBody = bodyOfReason('Shown to the creator');

const failedBody = bodyOfReason('Shown to the creator; for a failed payout that was reported as paid, only recorded in the audit log');

const access = { allow: 'operator' } as const;

const ids = { payout: 'pay' } as const;

/** Locks the payout. A draft counts as not found. */
async function held(db: Queryable, payoutId: Id<'pay'>): Promise<Held | Refusal> {
  invariant(isTransaction(db), 'a change must run in a transaction');
  const key = await findPayoutKey(db, payoutId);
  const payout = key && (await lockPayout(db, key));
  return payout === null || payout.amountCents === null ? notFound : { tx: db, payout };
}

type Held = { readonly tx: Transaction; readonly payout: Payout };

type Reader = { readonly db: Queryable; readonly platform: Platform; readonly identity: Identity };

const shown = async (reader: Reader, key: PayoutKey): Promise<Static<typeof operatorsPayoutJson>> =>
  showPayoutToOperator(reader, await readPayout(reader.db, key));

const notAwaitingConfirmation = refuse('conflict', confirmMessages.not_waiting);

export const confirmPayout = (providers: Providers) =>
  endpoint({
    summary: 'Approve a payout above the limit; it is sent after enough operators have approved it',
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
      const decision = (await judgeConfirmations(tx, platform, { payout, viewer })).viewer;
      if (decision === 'not_waiting' || decision === 'confirmed_already') return refuse('conflict', confirmMessages[decision]);
      if (decision !== 'go') return refuse('unprocessable', confirmMessages[decision]);
      invariant(viewer, 'only a person may confirm');
      // A payout cannot be confirmed after the creator was suspended or perhaps paid, or after the payout method changed.
      const failure = await findFailureBeforeSending(tx, platform, payout);
      if (failure !== null)
        return refuse('unprocessable', apiMessage('manual_payouts_api.payout_can_no_longer_sent', { message: failure.message }));
      await insertConfirmation(tx, payout, { userId: viewer, at: now });
      const { missing } = await judgeConfirmations(tx, platform, { payout, viewer });
      if (missing === 0) await saveConfirmed(tx, payout, { by: identity.actor, at: now });
      return shown({ db: tx, platform, identity }, payout);
    },
    /** Sends the payout if it is ready; one that awaits another person stays as it is. */
    async afterCommit({ platform, identity, ids: { payout: payoutId } }) {
      const key = await findPayoutKey(platform.database, payoutId);
      invariant(key, 'payouts are never deleted');
      await sendPayout({ platform, providers }, key);
      await applyResultToStores(platform, key);
      return shown({ db: platform.database, platform, identity }, key);
    },
  });

/** Updates the stores' commissions after the commit. If that fails, the next resume does it. */
async function applyResultAndShow({ platform, identity, ids: { payout: payoutId } }: Omit<Reader, 'db'> & { readonly ids: PayoutId }) {
  const key = await findPayoutKey(platform.database, payoutId);
  invariant(key, 'payouts are never deleted');
  await applyResultToStores(platform, key);
  return shown({ db: platform.database, platform, identity }, key);
}

type PayoutId = { readonly payout: Id<'pay'> };

export const refusePayout = endpoint({
  summary: 'Decline a payout above the limit: its commissions become available for the next payout',
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
    if (payout.state !== 'awaiting_second') return notAwaitingConfirmation;
    await failPayout(tx, platform, { payout, failure: { code: 'refused', message: body.reason }, at: now });
    return shown({ db: tx, platform, identity }, payout);
  },
  afterCommit: applyResultAndShow,
});

export const markPayoutPaid = (providers: Providers) =>
  endpoint({
    summary: 'Mark a payout as paid: after a manual payment, or after resolving an unknown result',
    access,
    proof: true,
    ids,
    body: T.Object({ reference: lineField(referenceLengthMax, 'By which it is found at the bank') }, { additionalProperties: false }),
    reply: operatorsPayoutJson,
    audit: 'payout.mark_paid',
    handle: (request) => mark({ ...request, providers }, 'mark_paid', { is: 'succeeded', providerId: request.body.reference }),
    afterCommit: applyResultAndShow,
  });

export const markPayoutFailed = (providers: Providers) =>
  endpoint({
    summary: 'Mark a payout as failed: a manual payment that failed, an unknown result that was resolved, or a returned amount',
    access,
    proof: true,
    ids,
    body: failedBody,
    reply: operatorsPayoutJson,
    audit: 'payout.mark_failed',
    handle: ({ body, ...request }) =>
      mark({ ...request, providers }, 'mark_failed', { is: 'declined', providerId: null, code: 'by_hand', message: body.reason }),
    afterCommit: applyResultAndShow,
  });

export const markPayoutReturned = (providers: Providers) =>
  endpoint({
    summary: 'Mark a paid payout as returned',
    access,
    proof: true,
    ids,
    body: reasonBody,
    reply: operatorsPayoutJson,
    audit: 'payout.mark_returned',
    handle: (request) => mark({ ...request, providers }, 'mark_returned', { is: 'returned', why: request.body.reason }),
    afterCommit: applyResultAndShow,
  });

type MarkCommand = {
  readonly platform: Platform;
  readonly identity: Identity;
  readonly providers: Providers;
  readonly db: Queryable;
  readonly ids: PayoutId;
  readonly now: Date;
};

async function mark(
  { platform, identity, providers, db, ids: { payout: payoutId }, now }: MarkCommand,
  action: ManualAction,
  outcome: PayoutOutcome,
) {
  const found = await held(db, payoutId);
  if (isRefusal(found)) return found;
  const { tx, payout } = found;
  const sureAt = sureAtOf(payout, providers);
  const decision = decideManualPayout(action, {
    state: payout.state,
    ends: payout.provider && (providers.payoutProvider(payout.provider)?.ends ?? null),
    isAnotherReference: outcome.is === 'succeeded' && outcome.providerId !== payout.providerId,
    isContradicted: contradictionOf(payout) === 'open',
    mayStillBeSent: sureAt !== null && now < sureAt,
  });
  switch (decision) {
    case 'go':
      await settlePayoutLocked(tx, platform, payout, outcome);
      return shown({ db: tx, platform, identity }, payout);
    case 'decides_contradiction':
      await saveContradictionDecided(tx, payout, now);
      return shown({ db: tx, platform, identity }, payout);
    case 'already':
      return shown({ db: tx, platform, identity }, payout);
    case 'another_reference':
      return refuse(
        'conflict',
        apiMessage('manual_payouts_api.payout_already_paid_with_reference', { providerId: String(payout.providerId) }),
      );
    case 'not_sent':
      return refuse('conflict', apiMessage('manual_payouts_api.payout_not_sent_yet_so'));
    case 'on_its_way':
      return refuse('conflict', apiMessage('manual_payouts_api.payout_on_its_way_and'));
    case 'may_still_be_sent':
      invariant(sureAt, 'a payout that may still be sent has a time after which it may not');
      return refuse('conflict', apiMessage('manual_payouts_api.payout_may_still_retried_so', { sureAt: isoTime(sureAt) }));
    case 'ended_otherwise':
      return refuse('conflict', apiMessage('manual_payouts_api.payout_already_has_different_result'));
    default:
      return never(decision);
  }
}

/** Null: nothing was sent. */
function sureAtOf({ provider, sentAt, calledAt }: Payout, providers: Providers): Date | null {
  if (sentAt === null || calledAt === null) return null;
  return surelyAbsentAt({ keyFrom: sentAt, lastCalledAt: calledAt }, provider === null ? null : providers.payoutProvider(provider));
}

/** A manual payout keeps the sealed destination of the payout method that it was created with. */
export const sealedPayoutDestinations: SealedColumn = {
  table: 'payouts',
  column: 'instrument',
  holds: 'text',
  key: [
    { name: 'creator_id', type: 'uuid' },
    { name: 'payout_id', type: 'uuid' },
  ],
  boundTo: ([creatorId = '']) => destinationBoundTo(creatorId),
};

type Row = ReturnType<typeof showPayoutInFile> & { readonly name: string; readonly destination: string | null };

/** The CSV columns of payouts; manual payouts include their destination. New columns come last, so that existing sheets keep working. */
export const payoutColumns: ReadonlyArray<CsvColumn<Row>> = [
  ...fieldColumns('id', 'creator_id'),
  { title: 'creator_name', cell: ({ name }) => name },
  ...fieldColumns('destination', 'amount_cents'),
  { title: 'currency', cell: () => 'USD' },
  ...fieldColumns('state', 'provider', 'made_at', 'sent_at', 'ended_at', 'returned_at', 'reference'),
  { title: 'failure', cell: ({ failure }) => failure?.message ?? null },
  ...fieldColumns('contradicted_at', 'contradiction_decided_at'),
];

/**
 * Opens the sealed destination only for payouts that a person is to pay now. The other accounts are not needed, and a payout that is
 * not sent yet may still be given up.
 */
export async function* rowsOf(db: Queryable, money: Money, pages: AsyncIterable<readonly Payout[]>): AsyncGenerator<readonly Row[]> {
  for await (const payouts of pages) {
    const names = await creatorNames(
      db,
      payouts.map(({ creatorId }) => creatorId),
    );
    const rows: Row[] = [];
    for (const payout of payouts) {
      const name = names.get(payout.creatorId) ?? publicId('crt', payout.creatorId);
      rows.push({ ...showPayoutInFile(payout), name, destination: await destinationOf(db, money, payout) });
    }
    yield rows;
  }
}

/** Left out while anything in the payout is on hold: without a destination it cannot be transferred. */
async function destinationOf(db: Queryable, { platform, providers }: Money, payout: Payout): Promise<string | null> {
  const { creatorId, provider, instrument, state } = payout;
  if (provider === null || instrument === null) return null;
  const ends = providers.payoutProvider(provider)?.ends ?? null;
  if (!isPaidManually({ state, ends }) || (await isOnHoldNow(db, platform, payout))) return null;
  return openDestination(platform.secrets, { creatorId, instrument });
}
