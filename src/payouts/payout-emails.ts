import type { EmailContent } from '../notify/render-email.ts';
import { type Cents, dollars } from '../core/money.ts';
import { enqueueEmail } from '../notify/enqueue-email.ts';
import { recordAuditEntry } from '../people/audit.ts';
import { operatorsMax } from '../people/operators-sql.ts';
import { listOperatorUsers } from '../people/users-sql.ts';
import type { Transaction } from '../db/database.ts';
import { publicId } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import type { Platform } from '../runtime/platform.ts';
import type { Payout } from './payout.ts';
import { findSentPayout } from './payouts-sql.ts';

type Facts = { readonly amount: Cents; readonly url: string };

/** To a creator, about their own money. */
export const payoutPaidEmail = ({ amount, url }: Facts): EmailContent => ({
  subject: `${dollars(amount)} were paid to you`,
  paragraphs: [`A payout of ${dollars(amount)} was sent to your payout method. Banks may take some days to show it.`],
  button: { label: 'See what it is for', url },
  footnotes: [],
});

export const payoutFailedEmail = ({ amount, url, why }: Facts & { readonly why: string }): EmailContent => ({
  subject: `A payout of ${dollars(amount)} did not work`,
  paragraphs: [
    `We could not pay ${dollars(amount)} to your payout method. The reason given: ${why}`,
    'The money is yours as before, and goes out with the next payout. Please look whether your payout method is right.',
  ],
  button: { label: 'Look at your payouts', url },
  footnotes: ['If you change your payout method, the new one is used after 72 hours.'],
});

export const payoutReturnedEmail = ({ amount, url, why }: Facts & { readonly why: string }): EmailContent => ({
  subject: `A payout of ${dollars(amount)} came back`,
  paragraphs: [
    `A payout of ${dollars(amount)} was sent to you and came back to us. The reason given: ${why}`,
    'The money is yours as before. It goes out with the next payout after you have said once more where to pay.',
  ],
  button: { label: 'Say where to pay', url },
  footnotes: ['If you change your payout method, the new one is used after 72 hours. If the old one is right, set it again as it is.'],
});

/** To all operators: the provider contradicts the end of a payout that it reported before. */
export const payoutContradictedEmail = ({
  amount,
  payout,
  isReportedPaid,
  onItsWay,
  url,
}: Facts & {
  readonly payout: string;
  readonly isReportedPaid: boolean;
  /** The creator's next payout, which was sent before the event arrived. */
  readonly onItsWay: { readonly payout: string; readonly amount: Cents } | null;
}): EmailContent => ({
  subject: `The payout ${payout} ${isReportedPaid ? 'failed, and is told paid' : 'was paid, and is told declined'}`,
  paragraphs: isReportedPaid
    ? [
        `The payout ${payout} of ${dollars(amount)} failed, and now its provider says that it was paid. The books say that it failed.`,
        ...(onItsWay === null
          ? []
          : [
              `The payout ${onItsWay.payout} of ${dollars(onItsWay.amount)} to the same creator is on its way already, and may pay the same money twice: stop it at the provider, or do not transfer it if you pay by hand, and mark it as failed.`,
            ]),
        'Nothing more is sent to this creator until you decide: look at the provider, and have the money sent back to you.',
        `Once it is back, say so: “Money is back” at the payout, or POST /api/v1/payouts/${payout}/mark-failed. Then the creator is paid again. Until then the verification tells of it each night.`,
      ]
    : [
        `The payout ${payout} of ${dollars(amount)} was paid, and now its provider says that it was declined. The books say that it was paid.`,
        'Look at the provider. If the money never left, mark the payout as returned: the creator is paid again.',
      ],
  button: { label: 'Look at the payouts', url },
  footnotes: [],
});

/** To all operators: an operator requested a higher limit, so that fewer payouts need two people. */
export const payoutLimitEmail = ({
  above,
  byName,
  url,
}: {
  readonly above: Cents | null;
  readonly byName: string;
  readonly url: string;
}): EmailContent => ({
  subject: `${byName} asks that ${above === null ? 'no payout' : `only a payout above ${dollars(above)}`} needs a second person`,
  paragraphs: [
    `${byName} asked to change the limit above which a second person confirms a payout, to ${above === null ? 'none' : dollars(above)}.`,
    'It holds only once somebody else sets the same. Until then the limit stays as it is.',
  ],
  button: { label: 'Look at the settings', url },
  footnotes: ['If this surprises you, ask them before you do anything: who can pay alone can pay themselves.'],
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
