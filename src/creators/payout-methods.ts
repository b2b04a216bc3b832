import type { Letter } from '../notify/letter.ts';
import { keepMail } from '../notify/mail.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { SealedColumn } from '../platform/database/sealed-columns.ts';
import type { Id } from '../platform/ids.ts';
import type { Secrets } from '../platform/secrets.ts';
import { hourMs } from '../platform/time.ts';
import { userOfCreator } from '../people/users-sql.ts';
import { lockCreator, type Creator } from './creators-sql.ts';
import { delayPayoutMethod, findPayoutMethod, insertPayoutMethod, replacePayoutMethod, type PayoutMethod } from './payout-methods-sql.ts';

/** Whoever took over an account and turns its payouts to themselves is found out before the next one. */
const coolDownHours = 72;

/** Where to pay: a word of the sandbox, the account that a person pays to by hand, or one at Stripe. */
export type Destination = { readonly sandbox: string } | { readonly manual: string } | { readonly stripe: string };

/** Whether a creator ever earned anything, in any store; asked of commissions, which are above this layer. */
export type HasEarned = (db: Queryable, creatorId: Id<'crt'>) => Promise<boolean>;

type NewMethod = {
  readonly creatorId: Id<'crt'>;
  readonly to: Destination;
  readonly at: Date;
  /** Whether anything was ever earned: then the first method waits as a change does. */
  readonly hasEarned: boolean;
  /** The signed-in person who set it, or behind the key. */
  readonly setBy: Id<'user'> | null;
};

/**
 * The same again is no change, unless a payout came back from there: then it says to try once more. A change waits 72 hours, and so
 * does the first method once anything was earned. The creator hears of each by mail.
 */
export async function setPayoutMethod(db: Queryable, secrets: Secrets, asked: NewMethod): Promise<PayoutMethod> {
  const { creatorId, to, at, hasEarned, setBy } = asked;
  const creator = await lockCreator(db, creatorId);
  const former = await findPayoutMethod(db, creatorId);
  const fresh = { creatorId, ...keptAs(secrets, creatorId, to), madeAt: at, setByUserId: setBy };
  const isAsBefore = former !== null && isSame(secrets, former, to);
  if (isAsBefore && former.cameBackAt === null) return former;

  if (former !== null) await replacePayoutMethod(db, creatorId, at);
  if (isAsBefore) return insertPayoutMethod(db, { ...fresh, usableFrom: former.usableFrom });
  const usableFrom = former === null && !hasEarned ? at : afterCoolDown(at);
  const letter = methodLetter(former === null ? 'set' : 'changed', usableFrom > at ? usableFrom : null);
  await mailCreator(db, secrets, { creator, letter });
  return insertPayoutMethod(db, { ...fresh, usableFrom });
}

const afterCoolDown = (at: Date): Date => new Date(at.getTime() + coolDownHours * hourMs);

type Reopened = { readonly creatorId: Id<'crt'>; readonly account: string; readonly at: Date };

/** The form of the present account is opened again at Stripe, where another bank account can be entered: that waits as a change does. */
export async function payoutFormReopened(db: Queryable, secrets: Secrets, { creatorId, account, at }: Reopened): Promise<void> {
  const creator = await lockCreator(db, creatorId);
  const method = await findPayoutMethod(db, creatorId);
  if (method === null || method.provider !== 'stripe' || method.instrument !== account) return;
  const until = afterCoolDown(at);
  await delayPayoutMethod(db, { creatorId, payoutMethodId: method.payoutMethodId, until });
  await mailCreator(db, secrets, { creator, letter: methodLetter('opened', until) });
}

type ToCreator = { readonly creator: Creator; readonly letter: Letter };

/** To the address of the creator and to the verified one of their person: whoever changed one account does not read both. */
async function mailCreator(db: Queryable, secrets: Secrets, { creator, letter }: ToCreator): Promise<void> {
  const person = await userOfCreator(db, creator.creatorId);
  const addresses = new Set([creator.email, person?.email ?? ''].filter((address) => address !== ''));
  for (const to of addresses) await keepMail(db, secrets, { to, letter, storeId: null });
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

const happened = {
  set: { subject: 'Where your payouts go was set', what: 'A payout method was set for your creator account at Tributary.' },
  changed: { subject: 'Where your payouts go was changed', what: 'The payout method of your creator account at Tributary was changed.' },
  opened: {
    subject: 'Your payout account at Stripe was opened',
    what: 'The form of your payout account at Stripe was opened from Tributary. Another bank account can be entered there.',
  },
} as const;

function methodLetter(what: keyof typeof happened, usableFrom: Date | null): Letter {
  const day = usableFrom?.toISOString().replace('T', ' at ').slice(0, '2026-03-01 at 12:00'.length);
  const waits = day === undefined ? [] : [`Nothing is paid to ${what === 'opened' ? 'this account' : 'the new one'} before ${day} UTC.`];
  return {
    subject: happened[what].subject,
    sentences: [happened[what].what, ...waits],
    button: null,
    afterwards: [
      `If it was not you, change your password now and write to whoever runs this service${day === undefined ? '' : ', before that time'}.`,
    ],
  };
}
