import type { Letter } from '../notify/letter.ts';
import { keepMail } from '../notify/mail.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { SealedColumn } from '../platform/database/sealed-columns.ts';
import type { Id } from '../platform/ids.ts';
import type { Secrets } from '../platform/secrets.ts';
import { hourMs } from '../platform/time.ts';
import { lockCreator } from './creators-sql.ts';
import { findPayoutMethod, insertPayoutMethod, replacePayoutMethod, type PayoutMethod } from './payout-methods-sql.ts';

/** Whoever took over an account and turns its payouts to themselves is found out before the next one. */
const coolDownHours = 72;

/** Where to pay: a word of the sandbox, the account that a person pays to by hand, or one at Stripe. */
export type Destination = { readonly sandbox: string } | { readonly manual: string } | { readonly stripe: string };

type NewMethod = { readonly creatorId: Id<'crt'>; readonly to: Destination; readonly at: Date };

/**
 * The same again is no change, unless a payout came back from there: then it says to try once more. A change waits, and the
 * creator hears of it; the first one does neither.
 */
export async function setPayoutMethod(db: Queryable, secrets: Secrets, { creatorId, to, at }: NewMethod): Promise<PayoutMethod> {
  const creator = await lockCreator(db, creatorId);
  const former = await findPayoutMethod(db, creatorId);
  const fresh = { creatorId, ...keptAs(secrets, creatorId, to), madeAt: at };
  if (former === null) return insertPayoutMethod(db, { ...fresh, usableFrom: at });
  const isAsBefore = isSame(secrets, former, to);
  if (isAsBefore && former.cameBackAt === null) return former;

  await replacePayoutMethod(db, creatorId, at);
  if (isAsBefore) return insertPayoutMethod(db, { ...fresh, usableFrom: former.usableFrom });
  const usableFrom = new Date(at.getTime() + coolDownHours * hourMs);
  await keepMail(db, secrets, { to: creator.email, letter: methodChangedLetter(usableFrom), storeId: null });
  return insertPayoutMethod(db, { ...fresh, usableFrom });
}

const shownLetters = 4;

function keptAs(secrets: Secrets, creatorId: Id<'crt'>, to: Destination): Pick<PayoutMethod, 'provider' | 'instrument' | 'last4'> {
  if ('sandbox' in to) return { provider: 'sandbox', instrument: to.sandbox, last4: null };
  if ('stripe' in to) return { provider: 'stripe', instrument: to.stripe, last4: null };
  const account = oneSpelling(to.manual);
  const instrument = secrets.seal(Buffer.from(account), sealOf(creatorId)).toString('base64');
  return { provider: 'manual', instrument, last4: account.replace(/[^\p{L}\p{N}]/gu, '').slice(-shownLetters) };
}

/** A seal of the same account is another one each time, so that what is inside is compared. */
function isSame(secrets: Secrets, former: PayoutMethod, to: Destination): boolean {
  if ('sandbox' in to) return former.provider === 'sandbox' && former.instrument === to.sandbox;
  if ('stripe' in to) return former.provider === 'stripe' && former.instrument === to.stripe;
  return former.provider === 'manual' && openDestination(secrets, former) === oneSpelling(to.manual);
}

/** The account that somebody pays to by hand: for the list that they pay from, and nowhere else. */
export const openDestination = (secrets: Secrets, { creatorId, instrument }: Pick<PayoutMethod, 'creatorId' | 'instrument'>): string =>
  secrets.open(Buffer.from(instrument, 'base64'), sealOf(creatorId)).toString('utf8');

const sealOf = (creatorId: Id<'crt'>): string => destinationBoundTo(creatorId);
export const destinationBoundTo = (creatorId: string): string => `payout destination of ${creatorId}`;

/** Of methods that are paid by hand; others hold the provider's own id. */
export const sealedDestinations: SealedColumn = {
  table: 'payout_methods',
  column: 'instrument',
  holds: 'text',
  key: [
    { name: 'creator_id', type: 'uuid' },
    { name: 'payout_method_id', type: 'uuid' },
  ],
  boundTo: ([creatorId = '']) => destinationBoundTo(creatorId),
};

/** People write an IBAN in groups of four, or not. */
const oneSpelling = (account: string): string => account.replace(/\s+/g, ' ').trim().toUpperCase();

function methodChangedLetter(usableFrom: Date): Letter {
  const day = usableFrom.toISOString().replace('T', ' at ').slice(0, '2026-03-01 at 12:00'.length);
  return {
    subject: 'Where your payouts go was changed',
    sentences: ['The payout method of your creator account at Tributary was changed.', `Nothing is paid to the new one before ${day} UTC.`],
    button: null,
    afterwards: ['If it was not you, change your password now and write to whoever runs this service, before that time.'],
  };
}
