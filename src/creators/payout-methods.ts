import type { Letter } from '../notify/letter.ts';
import { keepMail } from '../notify/mail.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { Id } from '../platform/ids.ts';
import type { Secrets } from '../platform/secrets.ts';
import { hourMs } from '../platform/time.ts';
import { lockCreator } from './creators-sql.ts';
import { findPayoutMethod, insertPayoutMethod, replacePayoutMethod, type PayoutMethod } from './payout-methods-sql.ts';

/** Whoever took over an account and turns its payouts to themselves is found out before the next one. */
const coolDownHours = 72;

type NewMethod = Pick<PayoutMethod, 'provider' | 'instrument'> & { readonly creatorId: Id<'crt'>; readonly at: Date };

/** The same again is no change. A change waits, and the creator hears of it; the first one does neither. */
export async function setPayoutMethod(
  db: Queryable,
  secrets: Secrets,
  { creatorId, provider, instrument, at }: NewMethod,
): Promise<PayoutMethod> {
  const creator = await lockCreator(db, creatorId);
  const former = await findPayoutMethod(db, creatorId);
  if (former === null) return insertPayoutMethod(db, { creatorId, provider, instrument, madeAt: at, usableFrom: at });
  if (former.provider === provider && former.instrument === instrument) return former;

  await replacePayoutMethod(db, creatorId, at);
  const usableFrom = new Date(at.getTime() + coolDownHours * hourMs);
  await keepMail(db, secrets, { to: creator.email, letter: methodChangedLetter(usableFrom), storeId: null });
  return insertPayoutMethod(db, { creatorId, provider, instrument, madeAt: at, usableFrom });
}

function methodChangedLetter(usableFrom: Date): Letter {
  const day = usableFrom.toISOString().replace('T', ' at ').slice(0, '2026-03-01 at 12:00'.length);
  return {
    subject: 'Where your payouts go was changed',
    sentences: ['The payout method of your creator account at Tributary was changed.', `Nothing is paid to the new one before ${day} UTC.`],
    button: null,
    afterwards: ['If it was not you, change your password now and write to whoever runs this service, before that time.'],
  };
}
