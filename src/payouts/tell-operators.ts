import { keepMail } from '../notify/mail.ts';
import { keepAudit } from '../people/audit.ts';
import { operatorsMax } from '../people/operators-sql.ts';
import { operators } from '../people/users-sql.ts';
import type { Transaction } from '../platform/database/database.ts';
import { publicId } from '../platform/ids.ts';
import { must } from '../platform/must.ts';
import type { Platform } from '../platform/platform.ts';
import { contradictedLetter } from './letter.ts';
import type { Payout } from './payout.ts';
import { payoutOnItsWayOf } from './sql.ts';

type Contradiction = { readonly payout: Payout; readonly why: string; readonly at: Date };

/**
 * To the operators, and into the audit log: it happened by itself, and a person has to act. Who calls this holds the payout, so
 * that of the creator's next one it is known here whether it was sent: send.ts says why.
 */
export async function tellOfContradiction(
  tx: Transaction,
  { config, secrets }: Pick<Platform, 'config' | 'secrets'>,
  { payout, why, at }: Contradiction,
): Promise<void> {
  const { payoutId, creatorId, amountCents: amount, state } = payout;
  must(amount !== null, 'a payout that ended had an amount');
  const isToldPaid = state === 'failed';
  const onItsWay = isToldPaid ? await nextOnItsWay(tx, creatorId) : null;
  const details = { why, amount_cents: amount, ...(onItsWay && { on_its_way: onItsWay.payout }) };
  await auditContradiction(tx, { payout, action: 'payout.contradicted', details, at });
  const url = `${config.baseUrl}/operator/payouts`;
  const letter = contradictedLetter({ amount, payout: publicId('pay', payoutId), isToldPaid, onItsWay, url });
  for (const { email } of await operators(tx, { most: operatorsMax })) await keepMail(tx, secrets, { to: email, letter, storeId: null });
}

async function nextOnItsWay(tx: Transaction, creatorId: Payout['creatorId']) {
  const next = await payoutOnItsWayOf(tx, creatorId);
  if (next === null) return null;
  must(next.amountCents !== null, 'what was sent has an amount');
  return { payout: publicId('pay', next.payoutId), amount: next.amountCents };
}

type Audited = {
  readonly payout: Payout;
  readonly action: 'payout.contradicted' | 'payout.contradiction_decided';
  readonly details: object;
  readonly at: Date;
};

/** What no person did. */
export const auditContradiction = (tx: Transaction, { payout: { payoutId, creatorId }, action, details, at }: Audited): Promise<void> =>
  keepAudit(tx, {
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
