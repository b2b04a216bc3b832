import { emailMessage } from '../messages/format-message.ts';
import type { EmailContent } from '../notify/render-email.ts';
import { enqueueEmail } from '../people/enqueue-email.ts';
import type { Queryable } from '../db/database.ts';
import type { SealedColumn } from '../db/sealed-columns.ts';
import type { Id } from '../core/ids.ts';
import type { Secrets } from '../core/secrets.ts';
import { hourMs } from '../core/time.ts';
import { findUserOfCreator } from '../people/users-sql.ts';
import { lockCreator, type Creator } from './creators-sql.ts';
import { delayPayoutMethod, findPayoutMethod, insertPayoutMethod, replacePayoutMethod, type PayoutMethod } from './payout-methods-sql.ts';

/** Gives the creator time to notice that an attacker changed their payout method. */
const coolDownHours = 72;

/** A sandbox outcome, an account for manual transfers, or a Stripe account. */
export type Destination = { readonly sandbox: string } | { readonly manual: string } | { readonly stripe: string };

/** Whether a creator ever earned anything. Passed in, because commissions are in a higher layer. */
export type HasEarned = (db: Queryable, creatorId: Id<'crt'>) => Promise<boolean>;

type NewMethod = {
  readonly creatorId: Id<'crt'>;
  readonly to: Destination;
  readonly at: Date;
  /** If true, the first method has the cool-down of a change. */
  readonly hasEarned: boolean;
  /** The signed-in person, or the owner of the API key. */
  readonly setBy: Id<'user'> | null;
};

/**
 * Setting the same method again changes nothing, unless a payout was returned from it: then it is used again. A change has a cool-down of
 * 72 hours, and so does the first method if anything was earned. The creator gets an email about each change.
 */
export async function setPayoutMethod(db: Queryable, secrets: Secrets, command: NewMethod): Promise<PayoutMethod> {
  const { creatorId, to, at, hasEarned, setBy } = command;
  const creator = await lockCreator(db, creatorId);
  const former = await findPayoutMethod(db, creatorId);
  const fresh = { creatorId, ...toStoredMethod(secrets, creatorId, to), madeAt: at, setByUserId: setBy };
  const isAsBefore = former !== null && isSameDestination(secrets, former, to);
  if (isAsBefore && former.cameBackAt === null) return former;

  if (former !== null) await replacePayoutMethod(db, creatorId, at);
  if (isAsBefore) return insertPayoutMethod(db, { ...fresh, usableFrom: former.usableFrom });
  const usableFrom = former === null && !hasEarned ? at : coolDownEnd(at);
  const content = payoutMethodEmail(former === null ? 'set' : 'changed', usableFrom > at ? usableFrom : null);
  await notifyCreator(db, secrets, { creator, content });
  return insertPayoutMethod(db, { ...fresh, usableFrom });
}

const coolDownEnd = (at: Date): Date => new Date(at.getTime() + coolDownHours * hourMs);

type ReopenedForm = { readonly creatorId: Id<'crt'>; readonly account: string; readonly at: Date };

/** Restarts the cool-down when the creator opens Stripe's form again, because they can enter another bank account there. */
export async function restartCoolDown(db: Queryable, secrets: Secrets, { creatorId, account, at }: ReopenedForm): Promise<void> {
  const creator = await lockCreator(db, creatorId);
  const method = await findPayoutMethod(db, creatorId);
  if (method === null || method.provider !== 'stripe' || method.instrument !== account) return;
  const until = coolDownEnd(at);
  await delayPayoutMethod(db, { creatorId, payoutMethodId: method.payoutMethodId, until });
  await notifyCreator(db, secrets, { creator, content: payoutMethodEmail('opened', until) });
}

type PayoutMethodNotice = { readonly creator: Creator; readonly content: EmailContent };

/** Emails the creator's address and the person's verified one, so that an attacker who controls one of them cannot hide the change. */
async function notifyCreator(db: Queryable, secrets: Secrets, { creator, content }: PayoutMethodNotice): Promise<void> {
  const person = await findUserOfCreator(db, creator.creatorId);
  const addresses = new Set([creator.email, person?.email ?? ''].filter((address) => address !== ''));
  for (const to of addresses) await enqueueEmail(db, secrets, { to, content, storeId: null });
}

const shownCharacters = 4;

function toStoredMethod(secrets: Secrets, creatorId: Id<'crt'>, to: Destination): Pick<PayoutMethod, 'provider' | 'instrument' | 'last4'> {
  if ('sandbox' in to) return { provider: 'sandbox', instrument: to.sandbox, last4: null };
  if ('stripe' in to) return { provider: 'stripe', instrument: to.stripe, last4: null };
  const account = normalizeAccount(to.manual);
  const instrument = secrets.seal(Buffer.from(account), destinationBoundTo(creatorId)).toString('base64');
  return { provider: 'manual', instrument, last4: account.replace(/[^\p{L}\p{N}]/gu, '').slice(-shownCharacters) };
}

/** Compares decrypted accounts, because two seals of one account differ. */
function isSameDestination(secrets: Secrets, former: PayoutMethod, to: Destination): boolean {
  if ('sandbox' in to) return former.provider === 'sandbox' && former.instrument === to.sandbox;
  if ('stripe' in to) return former.provider === 'stripe' && former.instrument === to.stripe;
  return former.provider === 'manual' && openDestination(secrets, former) === normalizeAccount(to.manual);
}

/** Decrypts an account for the list of manual transfers; do not use it elsewhere. */
export const openDestination = (secrets: Secrets, { creatorId, instrument }: Pick<PayoutMethod, 'creatorId' | 'instrument'>): string =>
  secrets.open(Buffer.from(instrument, 'base64'), destinationBoundTo(creatorId)).toString('utf8');

export const destinationBoundTo = (creatorId: string): string => `payout destination of ${creatorId}`;

/** Only manual methods are sealed; others contain the provider's ID. */
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
const normalizeAccount = (account: string): string => account.replace(/\s+/g, ' ').trim().toUpperCase();

function payoutMethodEmail(what: 'set' | 'changed' | 'opened', usableFrom: Date | null): EmailContent {
  const waits = what === 'opened' ? 'payout_method.opened_usable_from' : 'payout_method.usable_from';
  return {
    subject: emailMessage(`payout_method.subject_${what}`),
    paragraphs: [emailMessage(`payout_method.${what}`), ...(usableFrom === null ? [] : [emailMessage(waits, { time: usableFrom })])],
    button: null,
    footnotes: [emailMessage(usableFrom === null ? 'payout_method.not_you' : 'payout_method.not_you_before')],
  };
}
