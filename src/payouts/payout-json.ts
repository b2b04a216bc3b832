import { Type as T, type Static } from 'typebox';
import { centsField, isoTime, isoTimeOrNull, orNull } from '../platform/http/fields.ts';
import { publicId } from '../platform/ids.ts';
import { must } from '../platform/must.ts';
import { shownState, shownStates, type Payout } from './payout.ts';

const providerNames = ['sandbox', 'stripe', 'manual'] as const;
export const providerField = T.Enum([...providerNames]);
export const stateField = T.Enum([...shownStates]);

/** A payout as its creator sees it. */
export const payoutFields = {
  id: T.String(),
  creator_id: T.String(),
  amount_cents: centsField(),
  state: stateField,
  provider: providerField,
  made_at: T.String(),
  sent_at: orNull(T.String()),
  ended_at: orNull(T.String({ description: 'When it was paid or failed' })),
  returned_at: orNull(T.String()),
  reference: orNull(T.String({ description: "The provider's own name of it, or what somebody noted who paid by hand" })),
  failure: orNull(T.Object({ code: T.String(), message: T.String() })),
};
export const payoutJson = T.Object(payoutFields);

/** … and as an operator does. */
export const operatorsPayoutJson = T.Object({
  ...payoutFields,
  payout_run_id: T.String(),
  started_by: T.String({ description: '`user_…`, `key_…`, or `system` on the 1st and the 15th' }),
  confirmed_by: orNull(T.String()),
  confirmed_at: orNull(T.String()),
  asked_at: orNull(T.String({ description: 'When the provider was told to pay, the last time' })),
  contradicted_at: orNull(T.String({ description: 'When it was told paid after it had failed, or declined after it was paid' })),
  contradiction_decided_at: orNull(T.String({ description: 'When the money of one that had failed was said to be back' })),
});

export type PayoutJson = Static<typeof payoutJson>;

export function showPayout(payout: Payout): PayoutJson {
  const { amountCents, provider, gatheredAt, failureCode, failureMessage } = payout;
  const state = shownState(payout.state);
  must(state !== null && amountCents !== null && provider !== null && gatheredAt !== null, 'what is shown was gathered');
  return {
    id: publicId('pay', payout.payoutId),
    creator_id: publicId('crt', payout.creatorId),
    amount_cents: amountCents,
    state,
    provider,
    made_at: isoTime(gatheredAt),
    sent_at: isoTimeOrNull(payout.sentAt),
    ended_at: isoTimeOrNull(payout.endedAt),
    returned_at: isoTimeOrNull(payout.returnedAt),
    reference: payout.providerId,
    failure: failureCode === null ? null : { code: failureCode, message: failureMessage ?? '' },
  };
}

export const showPayoutToOperator = (payout: Payout): Static<typeof operatorsPayoutJson> => ({
  ...showPayout(payout),
  payout_run_id: publicId('prun', payout.payoutRunId),
  started_by: payout.startedBy,
  confirmed_by: payout.confirmedBy,
  confirmed_at: isoTimeOrNull(payout.confirmedAt),
  asked_at: isoTimeOrNull(payout.askedAt),
  contradicted_at: isoTimeOrNull(payout.contradictedAt),
  contradiction_decided_at: isoTimeOrNull(payout.contradictionDecidedAt),
});
