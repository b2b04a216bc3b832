import type { EmailContent } from '../notify/render-email.ts';
import { type Cents, dollars } from '../core/money.ts';
import { type Invoice, invoiceName } from './invoice.ts';
import { listCreatorsOfStore } from '../creators/members-sql.ts';
import { findStore } from '../merchants/stores-sql.ts';
import { enqueueEmail } from '../notify/enqueue-email.ts';
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

export function invoiceEmail({ storeName, url, invoice }: InvoiceFacts): EmailContent {
  const { number, linesCount, totalCents, nextChargeAt } = invoice;
  const what = linesCount === 1 ? 'one commission' : `${linesCount} commissions`;
  const charged =
    totalCents === 0n || nextChargeAt === null
      ? 'Your credit covers it; nothing is charged.'
      : `It is charged on ${dayText(nextChargeAt)}.`;
  return {
    subject: `${storeName}: invoice ${invoiceName(number)} over ${dollars(totalCents)}`,
    paragraphs: [`Invoice ${invoiceName(number)} of ${storeName} is over ${what}, ${dollars(totalCents)} in all.`, charged],
    button: { label: 'Look at the invoice', url },
    footnotes: ['Orders on it that are refunded from now on are credited by us: write to support.'],
  };
}

type FailedCharge = InvoiceFacts & { readonly due: Cents; readonly why: string };

export function chargeFailedEmail({ storeName, url, invoice, due, why }: FailedCharge): EmailContent {
  const { number, nextChargeAt } = invoice;
  const next = nextChargeAt === null ? 'It is not tried again by itself.' : `It is tried again on ${dayText(nextChargeAt)}.`;
  return {
    subject: `${storeName}: ${dollars(due)} could not be charged`,
    paragraphs: [`Invoice ${invoiceName(number)} of ${storeName}, ${dollars(due)}, could not be charged. ${sentence(why)}`, next],
    button: { label: 'Change how you pay', url },
    footnotes: ['A new payment method is charged at once with all that is open.'],
  };
}

export function pastDueEmail({ storeName, url, invoice, due }: Omit<FailedCharge, 'why'>): EmailContent {
  return {
    subject: `${storeName} is past due`,
    paragraphs: [
      `Invoice ${invoiceName(invoice.number)} of ${storeName}, ${dollars(due)}, could not be charged for a week.`,
      "From now on your creators' links lead to your shop without counting. Orders that you report are still recorded.",
    ],
    button: { label: 'Change how you pay', url },
    footnotes: ['A new payment method is charged at once with all that is open; then the links count again.'],
  };
}

export function disputeLostEmail({ storeName, url, invoice, due }: Omit<FailedCharge, 'why'>): EmailContent {
  return {
    subject: `${storeName}: the payment of invoice ${invoiceName(invoice.number)} was taken back`,
    paragraphs: [
      `The payment of invoice ${invoiceName(invoice.number)} was disputed, and your bank took it back. ${dollars(due)} are open again.`,
      `Until they are paid ${storeName} is past due: links of your creators do not count.`,
    ],
    button: { label: 'Change how you pay', url },
    footnotes: ['A new payment method is charged at once with all that is open.'],
  };
}

/** A charge was refunded at the provider, and the store owes its invoice again. */
export function reinvoicedEmail({ storeName, url, invoice, due }: Omit<FailedCharge, 'why'>): EmailContent {
  const name = invoiceName(invoice.number);
  return {
    subject: `${storeName}: invoice ${name} is open again, because its payment was refunded`,
    paragraphs: [
      `The payment of invoice ${name} was refunded to your payment method. ${dollars(due)} are open again.`,
      `Until they are paid ${storeName} is past due: links of your creators do not count.`,
    ],
    button: { label: 'Change how you pay', url },
    footnotes: ['A new payment method is charged at once with all that is open.'],
  };
}

/** To the operators: a charge matches no open invoice, and only a person can return the money. */
export const unmatchedChargeEmail = ({
  amount,
  charge,
  url,
}: {
  readonly amount: Cents;
  readonly charge: string;
  readonly url: string;
}): EmailContent => ({
  subject: `${dollars(amount)} came in that nobody owed`,
  paragraphs: [
    `The charge ${charge} of ${dollars(amount)} succeeded after its invoice was paid otherwise, credited or waived.`,
    'Nothing was posted for it.',
    'Please send it back at the provider, and then say so under Open charges. Until then the verification tells of it each night.',
  ],
  button: { label: 'Look at the charges', url },
  footnotes: [],
});

/** To a creator, who need not do anything and keeps what they earned. */
export function storePastDueEmail({ storeName, url }: StoreFacts): EmailContent {
  return {
    subject: `${storeName}: your links pause`,
    paragraphs: [
      `${storeName} has not paid its last bill. Until it does, your links still lead to the shop, but clicks on them do not count.`,
      'What you have earned there stays yours, and is paid out once the shop has paid.',
    ],
    button: { label: 'Look at your programs', url },
    footnotes: ['You need not change anything: the links count again by themselves.'],
  };
}

const dayText = (time: Date): string => time.toISOString().slice(0, 10);

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

const percent = (points: number): string => `${points / 100} %`;

type FeeRequest = { readonly fee: number; readonly current: number; readonly byName: string; readonly url: string };

/** To all operators, so that every request to raise the fee is visible. */
export const feeRaiseRequestedEmail = ({ fee, current, byName, url }: FeeRequest): EmailContent => ({
  subject: `${byName} asks for a platform fee of ${percent(fee)}`,
  paragraphs: [
    `${byName} asked to raise the platform fee from ${percent(current)} to ${percent(fee)}.`,
    'It is announced to stores only once another operator sets the same. Until then the fee stays as it is.',
  ],
  button: { label: 'Open the settings', url },
  footnotes: [],
});

type FeeRaise = { readonly fee: number; readonly current: number; readonly from: Date; readonly url: string };

/** To the owners of all stores, and to the operators. */
export function feeRaiseAnnouncedEmail({ fee, current, from, url }: FeeRaise): EmailContent {
  const day = from.toISOString().slice(0, '2026-03-01'.length);
  return {
    subject: `The platform fee becomes ${percent(fee)} on ${day}`,
    paragraphs: [
      `From ${day} (UTC) invoices carry a platform fee of ${percent(fee)} on top of commissions. Today it is ${percent(current)}.`,
      'Invoices that are issued before that day keep the present fee.',
    ],
    button: { label: 'Open Tributary', url },
    footnotes: [],
  };
}
