import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import type { Identity } from '../people/identity.ts';
import type { Queryable } from '../db/database.ts';
import { centsField, isoTime, isoTimeOrNull, namedObject, orNull } from '../http/fields.ts';
import { publicId } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import type { Platform } from '../runtime/platform.ts';
import { judgeConfirmations } from './confirm-payout.ts';
import { confirmMessages } from './decide-confirm.ts';
import { type Payout } from './payout.ts';
import { shownState, shownStates } from './payout-states.ts';

const providerNames = ['sandbox', 'stripe', 'manual'] as const;
export const providerField = T.Enum([...providerNames], { title: 'PayoutProvider' });
export const stateField = T.Enum([...shownStates], { title: 'PayoutState' });

/** A payout in the form for its creator. */
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
  reference: orNull(T.String({ description: 'The ID at the provider, or the note of the operator who paid manually' })),
  failure: orNull(T.Object({ code: T.String(), message: T.String() })),
};
export const payoutJson = namedObject('Payout', payoutFields);

/** A payout in the form for operators, in JSON and CSV. */
const operatorsFields = {
  ...payoutFields,
  payout_run_id: T.String(),
  started_by: T.String({ description: '`user_…`, `key_…`, or `system` on the 1st and the 15th' }),
  confirmed_by: orNull(T.String()),
  confirmed_at: orNull(T.String()),
  asked_at: orNull(T.String({ description: 'When the payment was last requested from the provider' })),
  contradicted_at: orNull(
    T.String({ description: 'When the provider contradicted the result: paid after it had failed, or declined after it was paid' }),
  ),
  contradiction_decided_at: orNull(T.String({ description: 'When the amount of a failed payout was marked as returned' })),
};

/** A payout with its confirmations, and whether the viewer may confirm it. */
export const operatorsPayoutJson = namedObject('OperatorPayout', {
  ...operatorsFields,
  confirmations_needed: T.Integer({ description: 'How many operators must approve it; 0 if it is not above the limit' }),
  confirmations_missing: T.Integer(),
  confirmations: T.Array(
    T.Object({
      user_id: T.String(),
      name: T.String(),
      at: T.String(),
      counts: T.Boolean({ description: 'Whether the operator may still approve it' }),
      why_not: orNull(T.String()),
    }),
  ),
  you_may_confirm: T.Boolean(),
  why_not: orNull(T.String({ description: 'Why you may not approve it, while it waits' })),
});
const operatorsFileJson = T.Object(operatorsFields);

export type PayoutJson = Static<typeof payoutJson>;

export function showPayout(payout: Payout): PayoutJson {
  const { amountCents, provider, draftedAt, failureCode, failureMessage } = payout;
  const state = shownState(payout.state);
  invariant(state !== null && amountCents !== null && provider !== null && draftedAt !== null, 'a visible payout is no longer a draft');
  return {
    id: publicId('pay', payout.payoutId),
    creator_id: publicId('crt', payout.creatorId),
    amount_cents: amountCents,
    state,
    provider,
    made_at: isoTime(draftedAt),
    sent_at: isoTimeOrNull(payout.sentAt),
    ended_at: isoTimeOrNull(payout.endedAt),
    returned_at: isoTimeOrNull(payout.returnedAt),
    reference: payout.providerId,
    failure: failureCode === null ? null : { code: failureCode, message: failureMessage ?? '' },
  };
}

export const showPayoutInFile = (payout: Payout): Static<typeof operatorsFileJson> => ({
  ...showPayout(payout),
  payout_run_id: publicId('prun', payout.payoutRunId),
  started_by: payout.startedBy,
  confirmed_by: payout.confirmedBy,
  confirmed_at: isoTimeOrNull(payout.confirmedAt),
  asked_at: isoTimeOrNull(payout.calledAt),
  contradicted_at: isoTimeOrNull(payout.contradictedAt),
  contradiction_decided_at: isoTimeOrNull(payout.contradictionDecidedAt),
});

type Reader = { readonly db: Queryable; readonly platform: Platform; readonly identity: Identity };

/** Evaluated only for payouts that await or have confirmations, which are few on a page. */
export async function showPayoutToOperator(
  { db, platform, identity }: Reader,
  payout: Payout,
): Promise<Static<typeof operatorsPayoutJson>> {
  const shown = showPayoutInFile(payout);
  if (payout.state !== 'awaiting_second' && payout.confirmedAt === null) {
    return { ...shown, confirmations_needed: 0, confirmations_missing: 0, confirmations: [], you_may_confirm: false, why_not: null };
  }
  const isWaiting = payout.state === 'awaiting_second';
  const viewer = identity.by.is === 'session' ? identity.by.userId : null;
  const judged = await judgeConfirmations(db, platform, { payout, viewer });
  return {
    ...shown,
    confirmations_needed: judged.needed,
    confirmations_missing: isWaiting ? judged.missing : 0,
    confirmations: judged.confirmations.map(({ userId, name, at, why }) => ({
      user_id: publicId('user', userId),
      name,
      at: isoTime(at),
      counts: !isWaiting || why === null,
      why_not: isWaiting && why !== null ? confirmMessages[why] : null,
    })),
    you_may_confirm: isWaiting && judged.viewer === 'go',
    why_not: isWaiting && judged.viewer !== 'go' ? confirmMessages[judged.viewer] : null,
  };
}
