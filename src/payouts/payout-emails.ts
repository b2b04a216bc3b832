import { emailMessage } from '../messages/format-message.ts';
import type { EmailContent } from '../notify/render-email.ts';
import type { Cents } from '../core/money.ts';
import { enqueueEmail } from '../people/enqueue-email.ts';
import { recordAuditEntry } from '../people/audit.ts';
import { operatorsMax } from '../people/operators-sql.ts';
import { listOperatorUsers } from '../people/users-sql.ts';
import type { Transaction } from '../db/database.ts';
import { publicId } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import type { Platform } from '../runtime/platform.ts';
import type { Failure } from './decide-payout.ts';
import type { Payout } from './payout.ts';
import { findSentPayout } from './payouts-sql.ts';

type Facts = { readonly amount: Cents; readonly url: string };

/** To a creator, about their own money. */
export const payoutPaidEmail = ({ amount, url }: Facts): EmailContent => ({
  subject: emailMessage('payout_paid.subject', { amount }),
  paragraphs: [emailMessage('payout_paid.body', { amount })],
  button: { label: emailMessage('payout_paid.button'), url },
  footnotes: [],
});

/** The failures that have a text in every language. The others are the words of a provider or of an operator. */
const ownFailures = ['creator_suspended', 'under_review', 'earlier_contradicted', 'method_changed', 'came_back', 'never_arrived'] as const;

export const payoutFailedEmail = ({ amount, url, failure }: Facts & { readonly failure: Failure }): EmailContent => ({
  subject: emailMessage('payout_failed.subject', { amount }),
  paragraphs: [
    emailMessage('payout_failed.body', {
      amount,
      cause: ownFailures.find((code) => code === failure.code) ?? 'other',
      why: failure.message,
    }),
    emailMessage('payout_failed.next'),
  ],
  button: { label: emailMessage('payout_failed.button'), url },
  footnotes: [emailMessage('payout_failed.footnote')],
});

export const payoutReturnedEmail = ({ amount, url, why }: Facts & { readonly why: string }): EmailContent => ({
  subject: emailMessage('payout_returned.subject', { amount }),
  paragraphs: [emailMessage('payout_returned.body', { amount, why }), emailMessage('payout_returned.next')],
  button: { label: emailMessage('payout_returned.button'), url },
  footnotes: [emailMessage('payout_returned.footnote')],
});

type ContradictionFacts = Facts & {
  readonly payout: string;
  readonly isReportedPaid: boolean;
  /** The creator's next payout, which was sent before the event arrived. */
  readonly onItsWay: { readonly payout: string; readonly amount: Cents } | null;
};

/** To all operators: the provider contradicts the end of a payout that it reported before. */
export const payoutContradictedEmail = ({ amount, payout, isReportedPaid, onItsWay, url }: ContradictionFacts): EmailContent => ({
  subject: emailMessage(isReportedPaid ? 'payout_contradicted.subject_paid' : 'payout_contradicted.subject_declined', { payout }),
  paragraphs: isReportedPaid
    ? [
        emailMessage('payout_contradicted.paid', { payout, amount }),
        ...(onItsWay === null ? [] : [emailMessage('payout_contradicted.on_its_way', onItsWay)]),
        emailMessage('payout_contradicted.blocked'),
        emailMessage('payout_contradicted.resolve', { payout }),
      ]
    : [emailMessage('payout_contradicted.declined', { payout, amount }), emailMessage('payout_contradicted.return')],
  button: { label: emailMessage('payout_contradicted.button'), url },
  footnotes: [],
});

type PayoutLimitFacts = { readonly above: Cents | null; readonly byName: string; readonly url: string };

/** To all operators: an operator requested a higher limit, so that fewer payouts need two people. */
export const payoutLimitEmail = ({ above, byName: by, url }: PayoutLimitFacts): EmailContent => ({
  subject: above === null ? emailMessage('payout_limit.subject_none', { by }) : emailMessage('payout_limit.subject', { by, above }),
  paragraphs: [
    above === null ? emailMessage('payout_limit.none', { by }) : emailMessage('payout_limit.body', { by, above }),
    emailMessage('payout_limit.next'),
  ],
  button: { label: emailMessage('common.open_settings'), url },
  footnotes: [emailMessage('payout_limit.footnote')],
});

type Contradiction = { readonly payout: Payout; readonly why: string; readonly at: Date };

/**
 * Notifies the operators and writes an audit entry, because a person has to act. The caller must hold the payout lock, so that it is
 * certain here whether the creator's next payout was sent, see send-payout.ts.
 */
export async function notifyContradiction(
  tx: Transaction,
  { config, secrets }: Pick<Platform, 'config' | 'secrets'>,
  { payout, why, at }: Contradiction,
): Promise<void> {
  const { payoutId, creatorId, amountCents: amount, state } = payout;
  invariant(amount !== null, 'a payout that ended had an amount');
  const isReportedPaid = state === 'failed';
  const onItsWay = isReportedPaid ? await findNextSentPayout(tx, creatorId) : null;
  const details = { why, amount_cents: amount, ...(onItsWay && { on_its_way: onItsWay.payout }) };
  await auditContradiction(tx, { payout, action: 'payout.contradicted', details, at });
  const url = `${config.baseUrl}/operator/payouts`;
  const content = payoutContradictedEmail({ amount, payout: publicId('pay', payoutId), isReportedPaid, onItsWay, url });
  for (const { email } of await listOperatorUsers(tx, { most: operatorsMax }))
    await enqueueEmail(tx, secrets, { to: email, content, storeId: null });
}

async function findNextSentPayout(tx: Transaction, creatorId: Payout['creatorId']) {
  const next = await findSentPayout(tx, creatorId);
  if (next === null) return null;
  invariant(next.amountCents !== null, 'a sent payout has an amount');
  return { payout: publicId('pay', next.payoutId), amount: next.amountCents };
}

type Audited = {
  readonly payout: Payout;
  readonly action: 'payout.contradicted' | 'payout.contradiction_decided';
  readonly details: object;
  readonly at: Date;
};

/** Audit entry of a change that no person made. */
export const auditContradiction = (tx: Transaction, { payout: { payoutId, creatorId }, action, details, at }: Audited): Promise<void> =>
  recordAuditEntry(tx, {
    at,
    actor: 'system',
    actorName: 'Tributary',
    storeId: null,
    creatorId,
    action,
    subject: publicId('pay', payoutId),
    details,
    requestId: '',
    addressHash: null,
  });
