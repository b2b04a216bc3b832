import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { endpoint } from '../people/endpoint.ts';
import { notFound, type Refusal, refuse } from '../http/responses.ts';
import { centsField, isoTime, isoTimeOrNull, namedObject, orNull } from '../http/fields.ts';
import { pageFields, sortField, uuidShape } from '../http/page.ts';
import { publicId } from '../core/ids.ts';
import type { Providers } from '../payments/providers.ts';
import { surelyAbsentAt } from '../money-movement/decide-resume.ts';
import { type Charge, findCharge, markReturned, listUnsettledCharges, listUnmatchedCharges, openChargeSorts } from './charges-sql.ts';
import {
  decideManualSettlement,
  type ManualSettlementDecision,
  type ManualOutcome,
  manualOutcomes,
  callsOf,
} from './decide-manual-settlement.ts';
import { type ChargeOutcome } from './decide-charge.ts';
import { openChargeStates } from './charge-states.ts';
import { isTransaction, type Queryable } from '../db/database.ts';
import { invariant, never } from '../core/invariant.ts';
import { chargeInvoice, settleChargeLocked } from './charge-invoice.ts';
import { collectInvoice } from './collect-invoice.ts';
import { shownInvoiceStates } from './invoice-states.ts';
import { findInvoice } from './invoices-sql.ts';
import { listEndpoint, sortedListEndpoint } from '../people/list-endpoint.ts';
import { apiMessage } from '../messages/api-message.ts';

/** What an operator searches for in the provider's list, and the time after which its absence is proof. */
const openChargeJson = namedObject('OpenCharge', {
  id: T.String({ description: 'Also the idempotency key at the provider' }),
  store_id: T.String(),
  invoice_id: T.String(),
  state: T.Enum([...openChargeStates]),
  amount_cents: centsField(),
  provider: T.String(),
  description: T.String({ description: "The description in the provider's list" }),
  provider_id: orNull(T.String({ description: 'The ID at the provider, if known' })),
  message: orNull(T.String({ description: 'Why the result is not known' })),
  made_at: T.String(),
  called_at: orNull(T.String({ description: 'When the provider was last called' })),
  surely_never_made_at: T.String({ description: "After this time, a charge that is missing in the provider's list was never made" }),
});

export const listOpenCharges = (providers: Providers) =>
  sortedListEndpoint({
    summary: 'List the charges without a result, of all stores, oldest first',
    access: { allow: 'operator' },
    query: T.Object(
      { state: T.Optional(T.Enum([...openChargeStates])), ...pageFields, ...sortField(openChargeSorts) },
      { additionalProperties: false },
    ),
    item: openChargeJson,
    readFilter: ({ query }) => query.state ?? null,
    rows: ({ db, filter: state }, page) => listUnsettledCharges(db, state, page),
    renderer: () => (charge) => ({
      id: publicId('chg', charge.chargeId),
      store_id: publicId('store', charge.storeId),
      invoice_id: publicId('inv', charge.invoiceId),
      state: charge.state,
      amount_cents: charge.amountCents,
      provider: charge.provider,
      description: charge.description,
      provider_id: charge.providerId,
      message: charge.message,
      made_at: isoTime(charge.madeAt),
      called_at: isoTimeOrNull(charge.calledAt),
      surely_never_made_at: isoTime(surelyAbsentAt(callsOf(charge), providers.chargeProvider(charge.provider))),
    }),
    sorts: openChargeSorts,
  });

const textLengthMax = 200;

const text = () => T.String({ minLength: 1, maxLength: textLengthMax, pattern: String.raw`^(?=.*\S)[^\u0000\p{Cs}]+$` });

const settlementBody = T.Object(
  {
    outcome: T.Enum([...manualOutcomes], { description: "As shown in the provider's list" }),
    provider_id: T.Optional(T.Union([text(), T.Null()], { description: 'The ID of the charge at the provider; required if it succeeded' })),
    note: text(),
  },
  { additionalProperties: false },
);

const reply = T.Object({ charge_id: T.String(), invoice_id: T.String(), invoice_state: T.Enum([...shownInvoiceStates]) });

/** Settles a charge that no look-up settles: a person who checked the provider's list records the end, and the audit log names them. */
export const settleChargeManually = (providers: Providers) =>
  endpoint({
    summary: "Settle a charge with an unknown result, as shown in the provider's list",
    access: { allow: 'operator' },
    proof: true,
    ids: { store: 'store', charge: 'chg' },
    body: settlementBody,
    reply,
    audit: 'charge.settled_by_hand',
    async handle({ platform, db, ids, body: request, now }) {
      invariant(isTransaction(db), 'a charge is settled in a transaction');
      const key = { storeId: ids.store, chargeId: ids.charge };
      const charge = await findCharge(db, key);
      if (charge === null) return notFound;
      const { outcome, provider_id: providerId = null, note } = request;
      const provider = providers.chargeProvider(charge.provider);
      const decision = decideManualSettlement({ now, charge, outcome, providerId, provider });
      if (decision !== 'go') return refusalOf(decision, surelyAbsentAt(callsOf(charge), provider));
      await settleChargeLocked(db, platform, { key, outcome: outcomeOf(outcome, providerId, note), now });
      return settledJson(db, charge);
    },
    /** Collects what is paid, and tries the other method immediately if the backup failed. Both decide under a lock. */
    async afterCommit({ platform, ids }) {
      platform.reached('billing: settled');
      const { database } = platform;
      const charge = await findCharge(database, { storeId: ids.store, chargeId: ids.charge });
      const invoice = charge && (await findInvoice(database, charge));
      invariant(charge && invoice, 'charges and invoices are never deleted');
      await collectInvoice(platform, invoice);
      if (invoice.isBackupTried) await chargeInvoice({ platform, providers }, invoice, 'due');
      return settledJson(database, charge);
    },
  });

async function settledJson(db: Queryable, charge: Charge): Promise<Static<typeof reply>> {
  const invoice = await findInvoice(db, charge);
  invariant(invoice, 'a charge has an invoice');
  return {
    charge_id: publicId('chg', charge.chargeId),
    invoice_id: publicId('inv', charge.invoiceId),
    invoice_state: invoice.state,
  };
}

function refusalOf(decision: Exclude<ManualSettlementDecision, 'go'>, sureAt: Date): Refusal {
  switch (decision) {
    case 'not_open':
      return refuse('conflict', apiMessage('open_charges_api.result_charge_already_known_reload'));
    case 'in_flight':
      return refuse('conflict', apiMessage('open_charges_api.charge_being_sent_right_now'));
    case 'accepted':
      return refuse('conflict', apiMessage('open_charges_api.provider_accepted_charge_so_exists'));
    case 'may_still_be_made':
      return refuse('conflict', apiMessage('open_charges_api.charge_may_still_retried_so', { sureAt: isoTime(sureAt) }));
    case 'without_its_name':
      return refuse('invalid_request', apiMessage('shared.body_invalid'), [
        { field: 'provider_id', message: apiMessage('open_charges_api.required_if_charge_succeeded_id') },
      ]);
    default:
      return never(decision);
  }
}

function outcomeOf(outcome: ManualOutcome, providerId: string | null, note: string): ChargeOutcome {
  if (outcome === 'never_made') return { is: 'absent' };
  if (outcome === 'declined') return { is: 'declined', providerId, code: 'by_hand', message: note };
  invariant(providerId !== null, 'a successful settlement names the charge of the provider');
  return { is: 'succeeded', providerId };
}

const noteLengthMax = 200;

const unmatchedChargeJson = namedObject('UnmatchedCharge', {
  id: T.String({ description: 'Also the idempotency key at the provider' }),
  store_id: T.String(),
  invoice_id: T.String({ description: 'The invoice it was for, which was paid another way or is no longer due' }),
  amount_cents: centsField(),
  provider: T.String(),
  provider_id: orNull(T.String({ description: 'The ID at the provider, for the refund there' })),
  description: T.String({ description: "The description in the provider's list" }),
  since: T.String(),
});

export const listUnmatchedChargesEndpoint = listEndpoint({
  summary: 'List the successful charges that match no open invoice, of all stores; return them at the provider',
  access: { allow: 'operator' },
  item: unmatchedChargeJson,
  rows: ({ db }, page) => listUnmatchedCharges(db, page),
  renderer: () => (charge) => ({
    id: publicId('chg', charge.chargeId),
    store_id: publicId('store', charge.storeId),
    invoice_id: publicId('inv', charge.invoiceId),
    amount_cents: charge.amountCents,
    provider: charge.provider,
    provider_id: charge.providerId,
    description: charge.description,
    since: isoTime(charge.unmatchedAt),
  }),
  key: ({ storeId, chargeId }) => [storeId, chargeId],
  keyShapes: [uuidShape, uuidShape],
});

export const returnChargeEndpoint = endpoint({
  summary: 'Mark an unmatched charge as returned at the provider',
  access: { allow: 'operator' },
  proof: true,
  ids: { store: 'store', charge: 'chg' },
  body: T.Object(
    {
      note: T.String({
        minLength: 1,
        maxLength: noteLengthMax,
        pattern: String.raw`^(?=.*\S)[^\p{Cc}\p{Cs}]+$`,
        description: 'Evidence, such as the ID of the refund',
      }),
    },
    { additionalProperties: false },
  ),
  reply: T.Object({ id: T.String(), given_back_at: T.String() }),
  audit: 'charge.give_back',
  async handle({ db, ids, identity, body, now }) {
    const key = { storeId: ids.store, chargeId: ids.charge };
    if (!(await markReturned(db, key, { at: now, by: identity.actor, note: body.note })))
      return refuse('conflict', apiMessage('open_charges_api.charge_has_nothing_return_owed'));
    return { id: publicId('chg', ids.charge), given_back_at: isoTime(now) };
  },
});
