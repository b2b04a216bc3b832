import { emailMessage } from '../messages/format-message.ts';
import type { EmailContent } from '../notify/render-email.ts';
import type { Cents } from '../core/money.ts';
import { type Invoice, invoiceName } from './invoice.ts';
import { listCreatorsOfStore } from '../creators/members-sql.ts';
import { findStore } from '../merchants/stores-sql.ts';
import { enqueueEmail } from '../people/enqueue-email.ts';
import { recordAuditEntry } from '../people/audit.ts';
import { operatorsMax } from '../people/operators-sql.ts';
import { roleHasPermission } from '../people/permissions.ts';
import { listTeamMembers } from '../people/team-sql.ts';
import { listOperatorUsers } from '../people/users-sql.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { type Id, publicId } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import type { Platform } from '../runtime/platform.ts';
import { tenantFailures } from '../queue/tenant-failures.ts';
import type { Charge } from './charges-sql.ts';
import { savePastDueNoticesSent, lockPastDueNotices, listStoresWithPastDueNotices } from './billing-settings-sql.ts';

/** Facts in every email to a store; `url` is its billing page. */
export type StoreFacts = { readonly storeName: string; readonly url: string };

type InvoiceFacts = StoreFacts & { readonly invoice: Pick<Invoice, 'number' | 'linesCount' | 'totalCents' | 'nextChargeAt'> };

export function invoiceEmail({ storeName: store, url, invoice }: InvoiceFacts): EmailContent {
  const { linesCount: count, totalCents: total, nextChargeAt } = invoice;
  const number = invoiceName(invoice.number);
  return {
    subject: emailMessage('invoice.subject', { store, number, total }),
    paragraphs: [
      emailMessage('invoice.body', { store, number, count, total }),
      total === 0n || nextChargeAt === null
        ? emailMessage('invoice.covered_by_credit')
        : emailMessage('invoice.charged_on', { date: nextChargeAt }),
    ],
    button: { label: emailMessage('invoice.button'), url },
    footnotes: [emailMessage('invoice.footnote')],
  };
}

type FailedCharge = InvoiceFacts & { readonly due: Cents; readonly why: string };

const updatePaymentMethod = (url: string) => ({ label: emailMessage('common.update_payment_method'), url });

export function chargeFailedEmail({ storeName: store, url, invoice, due, why }: FailedCharge): EmailContent {
  const { nextChargeAt } = invoice;
  return {
    subject: emailMessage('charge_failed.subject', { store, due }),
    paragraphs: [
      emailMessage('charge_failed.body', { store, number: invoiceName(invoice.number), due, why: sentence(why) }),
      nextChargeAt === null ? emailMessage('charge_failed.no_next') : emailMessage('charge_failed.next', { date: nextChargeAt }),
    ],
    button: updatePaymentMethod(url),
    footnotes: [emailMessage('common.charge_on_update')],
  };
}

type DueInvoice = Omit<FailedCharge, 'why'>;

export const pastDueEmail = ({ storeName: store, url, invoice, due }: DueInvoice): EmailContent => ({
  subject: emailMessage('past_due.subject', { store }),
  paragraphs: [emailMessage('past_due.body', { store, number: invoiceName(invoice.number), due }), emailMessage('past_due.links')],
  button: updatePaymentMethod(url),
  footnotes: [emailMessage('past_due.footnote')],
});

export function disputeLostEmail({ storeName: store, url, invoice, due }: DueInvoice): EmailContent {
  const number = invoiceName(invoice.number);
  return {
    subject: emailMessage('charge_reversed.subject_disputed', { store, number }),
    paragraphs: [emailMessage('charge_reversed.disputed', { number, due }), emailMessage('charge_reversed.past_due', { store })],
    button: updatePaymentMethod(url),
    footnotes: [emailMessage('common.charge_on_update')],
  };
}

/** A charge was refunded at the provider, and the store owes its invoice again. */
export function reinvoicedEmail({ storeName: store, url, invoice, due }: DueInvoice): EmailContent {
  const number = invoiceName(invoice.number);
  return {
    subject: emailMessage('charge_reversed.subject_refunded', { store, number }),
    paragraphs: [emailMessage('charge_reversed.refunded', { number, due }), emailMessage('charge_reversed.past_due', { store })],
    button: updatePaymentMethod(url),
    footnotes: [emailMessage('common.charge_on_update')],
  };
}

type UnmatchedCharge = { readonly amount: Cents; readonly charge: string; readonly url: string };

/** To the operators: a charge matches no open invoice, and only a person can return the money. */
export const unmatchedChargeEmail = ({ amount, charge, url }: UnmatchedCharge): EmailContent => ({
  subject: emailMessage('unmatched_charge.subject', { amount }),
  paragraphs: [emailMessage('unmatched_charge.body', { charge, amount }), emailMessage('unmatched_charge.action')],
  button: { label: emailMessage('unmatched_charge.button'), url },
  footnotes: [],
});

/** To a creator, who need not do anything and keeps what they earned. */
export const storePastDueEmail = ({ storeName: store, url }: StoreFacts): EmailContent => ({
  subject: emailMessage('store_past_due.subject', { store }),
  paragraphs: [emailMessage('store_past_due.body', { store }), emailMessage('store_past_due.earned')],
  button: { label: emailMessage('store_past_due.button'), url },
  footnotes: [emailMessage('store_past_due.footnote')],
});

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

type EmailPlatform = Pick<Platform, 'config' | 'secrets'>;

/** Emails the team members who may change the payment method, in the transaction of the event. */
export async function notifyFinance(
  db: Queryable,
  { config, secrets }: EmailPlatform,
  storeId: Id<'store'>,
  contentOf: (facts: StoreFacts) => EmailContent,
): Promise<void> {
  const store = await findStore(db, storeId);
  invariant(store, 'stores are never deleted');
  const content = contentOf({ storeName: store.name, url: `${config.baseUrl}/stores/${publicId('store', storeId)}/billing` });
  const paying = (await listTeamMembers(db, storeId)).filter(({ role }) => roleHasPermission(role, 'billing:write'));
  for (const { email } of paying) await enqueueEmail(db, secrets, { to: email, content, storeId });
}

/** Emails the operators and writes an audit entry, because a person has to act. */
export async function notifyUnmatchedCharge(
  tx: Transaction,
  { config, secrets }: EmailPlatform,
  { storeId, chargeId, invoiceId, amountCents }: Pick<Charge, 'storeId' | 'chargeId' | 'invoiceId' | 'amountCents'>,
  at: Date,
): Promise<void> {
  const charge = publicId('chg', chargeId);
  await recordAuditEntry(tx, {
    at,
    actor: 'system',
    actorName: 'Tributary',
    storeId,
    creatorId: null,
    action: 'charge.stray',
    subject: charge,
    details: { invoice: publicId('inv', invoiceId), amount_cents: amountCents },
    requestId: '',
    addressHash: null,
  });
  const content = unmatchedChargeEmail({ amount: amountCents, charge, url: `${config.baseUrl}/operator/charges` });
  for (const { email } of await listOperatorUsers(tx, { most: operatorsMax }))
    await enqueueEmail(tx, secrets, { to: email, content, storeId: null });
}

const storesPerRunMax = 1_000;

const creatorsPerTransactionMax = 200;

const roundsMax = 10_000;

/**
 * A job: emails the creators of stores that became past due. The position is saved in the transaction of the emails, so that a crash
 * neither repeats nor skips one.
 */
export async function notifyCreatorsOfPastDue(platform: Platform): Promise<void> {
  const { database } = platform;
  const failures = tenantFailures(platform.log, 'The creators of past-due stores could not be notified');
  for (const storeId of await listStoresWithPastDueNotices(database, storesPerRunMax))
    await failures.run(publicId('store', storeId), async () => {
      for (let round = 0; round < roundsMax; round++)
        if (await database.transaction((tx) => notifySomeCreators(tx, platform, storeId))) break;
    });
  failures.raise();
}

/** True: all creators were notified. */
async function notifySomeCreators(tx: Transaction, { config, secrets }: EmailPlatform, storeId: Id<'store'>): Promise<boolean> {
  const telling = await lockPastDueNotices(tx, storeId);
  const store = await findStore(tx, storeId);
  if (telling === null || store === null) return true;
  const content = storePastDueEmail({ storeName: store.name, url: `${config.baseUrl}/programs` });
  // If the store paid meanwhile, no further creator is notified.
  const page = { after: telling.tellingAfter, limit: creatorsPerTransactionMax };
  const creators = store.pastDueAt === null ? [] : await listCreatorsOfStore(tx, storeId, page);
  for (const { email } of creators) await enqueueEmail(tx, secrets, { to: email, content, storeId: null });
  const isWhole = creators.length < creatorsPerTransactionMax;
  await savePastDueNoticesSent(tx, storeId, isWhole ? null : (creators.at(-1)?.creatorId ?? null));
  return isWhole;
}

type FeeRequest = { readonly fee: number; readonly current: number; readonly byName: string; readonly url: string };

/** To all operators, so that every request to raise the fee is visible. */
export const feeRaiseRequestedEmail = ({ fee, current, byName: by, url }: FeeRequest): EmailContent => ({
  subject: emailMessage('fee_raise_requested.subject', { by, fee }),
  paragraphs: [emailMessage('fee_raise_requested.body', { by, current, fee }), emailMessage('fee_raise_requested.next')],
  button: { label: emailMessage('common.open_settings'), url },
  footnotes: [],
});

type FeeRaise = { readonly fee: number; readonly current: number; readonly from: Date; readonly url: string };

/** To the owners of all stores, and to the operators. */
export const feeRaiseAnnouncedEmail = ({ fee, current, from: date, url }: FeeRaise): EmailContent => ({
  subject: emailMessage('fee_raise_announced.subject', { fee, date }),
  paragraphs: [emailMessage('fee_raise_announced.body', { date, fee, current }), emailMessage('fee_raise_announced.before')],
  button: { label: emailMessage('fee_raise_announced.button'), url },
  footnotes: [],
});
