import { keepMail } from '../notify/mail.ts';
import { keepAudit } from '../people/audit.ts';
import { operatorsMax } from '../people/operators.ts';
import { operators } from '../people/users-sql.ts';
import type { Transaction } from '../platform/database/database.ts';
import { publicId } from '../platform/ids.ts';
import { must } from '../platform/must.ts';
import type { Platform } from '../platform/platform.ts';
import { contradictedLetter } from './letter.ts';
import type { Payout } from './payout.ts';

type Contradiction = { readonly payout: Payout; readonly why: string; readonly at: Date };

/** To the operators, and into the audit log: it happened by itself, and a person has to act. */
export async function tellOfContradiction(
  tx: Transaction,
  { config, secrets }: Pick<Platform, 'config' | 'secrets'>,
  { payout: { payoutId, creatorId, amountCents, state }, why, at }: Contradiction,
): Promise<void> {
  must(amountCents !== null, 'a payout that ended had an amount');
  const payout = publicId('pay', payoutId);
  await keepAudit(tx, {
    at,
    actor: 'system',
    actorName: 'Tributary',
    storeId: null,
    creatorId,
    action: 'payout.contradicted',
    subject: payout,
    details: { why, amount_cents: Number(amountCents) },
    requestId: '',
    addressHash: null,
  });
  const url = `${config.baseUrl}/operator/payouts`;
  const letter = contradictedLetter({ amount: amountCents, payout, isToldPaid: state === 'failed', url });
  for (const { email } of await operators(tx, { most: operatorsMax })) await keepMail(tx, secrets, { to: email, letter, storeId: null });
}
