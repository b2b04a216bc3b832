import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { creatorAccounts } from '../ledger/creator-postings.ts';
import { noCreator, storeAccounts } from '../ledger/store-postings.ts';
import type { CsvCell, CsvColumn } from '../http/csv.ts';
import { centsField, isoTime, namedObject, orNull } from '../http/fields.ts';
import { publicId } from '../core/ids.ts';
import type { CreatorBalances, CreatorStatementLine } from './creator-statement.ts';
import type { Period } from './period.ts';
import type { MonthlySales } from './monthly-sales-sql.ts';
import type { StoreBalances, StoreStatementLine } from './store-statement.ts';

const periodFields = {
  period: T.String(),
  from: T.String(),
  to: T.String(),
  is_final: T.Boolean({ description: 'True if the month is over and will not change' }),
  currency: T.Literal('USD'),
};

export const showPeriod = ({ name, from, to }: Period, now: Date) => ({
  period: name,
  from: isoTime(from),
  to: isoTime(to),
  is_final: to <= now,
  currency: 'USD' as const,
});

const integer = T.Integer();
const storeBalancesJson = namedObject('StoreBalances', {
  expected_cents: centsField('Commissions of recorded orders that are not invoiced'),
  owed_cents: centsField('Invoiced and not paid'),
  collected_cents: centsField('Paid by the store'),
  fee_cents: centsField('The platform fee'),
  credit_cents: centsField('Credit for the next invoices'),
  to_creators_cents: centsField('The amount owed to creators'),
});

const salesJson = T.Object(
  {
    orders: T.Integer({ description: 'One-time orders and paid invoices of subscriptions that happened in the month' }),
    revenue_cents: centsField(),
    earned_cents: centsField('Their commissions, without those rejected or reversed in any later month'),
  },
  { description: 'The same totals as in all other lists, by the time of the orders; the lines are by the time of posting' },
);

export const showMonthlySales = ({ orders, revenueCents, earnedCents }: MonthlySales) => ({
  orders: Number(orders),
  revenue_cents: revenueCents,
  earned_cents: earnedCents,
});

const storeLine = namedObject('StoreStatementLine', {
  at: T.String(),
  what: T.String(),
  source: T.String(),
  order_id: orNull(T.String()),
  subscription_invoice_id: orNull(T.String()),
  commission_id: orNull(T.String()),
  postback_id: orNull(T.String({ description: 'The accepted postback, in the tracking log' })),
  invoice_id: orNull(T.String()),
  invoice_number: orNull(integer),
  creator_id: orNull(T.String()),
  creator_name: T.String(),
  debit: T.Enum([...storeAccounts]),
  credit: T.Enum([...storeAccounts]),
  amount_cents: centsField(),
  lead_id: orNull(T.String()),
});
export type StoreLineJson = Static<typeof storeLine>;

export const storeStatementJson = namedObject('StoreStatement', {
  ...periodFields,
  sold: salesJson,
  opening: storeBalancesJson,
  lines: T.Array(storeLine),
  closing: storeBalancesJson,
  next_cursor: orNull(T.String()),
});

export const showBalances = ({ expected, owed, collected, fee, credit, to_creators: toCreators }: StoreBalances) => ({
  expected_cents: expected,
  owed_cents: owed,
  collected_cents: collected,
  fee_cents: fee,
  credit_cents: credit,
  to_creators_cents: toCreators,
});

export function showStoreLine(line: StoreStatementLine): StoreLineJson {
  const { reference, creatorId } = line;
  return {
    at: isoTime(line.at),
    what: line.what,
    source: line.sourceKind,
    order_id: reference?.orderId ?? null,
    subscription_invoice_id: reference?.subscriptionInvoiceId ?? null,
    commission_id: reference?.commissionId ? publicId('com', reference.commissionId) : null,
    postback_id: reference?.postbackId ? publicId('post', reference.postbackId) : null,
    invoice_id: reference?.invoiceId ? publicId('inv', reference.invoiceId) : null,
    invoice_number: reference?.invoiceNumber ? Number(reference.invoiceNumber) : null,
    creator_id: creatorId === noCreator ? null : publicId('crt', creatorId),
    creator_name: line.creatorName,
    debit: line.debit,
    credit: line.credit,
    amount_cents: line.amountCents,
    lead_id: reference?.leadId ?? null,
  };
}

/** Named as in JSON. */
export const storeColumns: ReadonlyArray<CsvColumn<StoreLineJson>> = columnsOf(Object.keys(storeLine.properties));

const creatorBalancesJson = namedObject('CreatorBalances', {
  available_cents: centsField('Available for payout'),
  in_payout_cents: centsField('On its way'),
  paid_cents: centsField('Paid out'),
  advance_cents: centsField('Paid out before the store paid'),
});

const creatorLine = namedObject('CreatorStatementLine', {
  at: T.String(),
  what: T.String(),
  source: T.String(),
  store_id: T.String(),
  store_name: T.String(),
  commission_id: orNull(T.String()),
  order_id: orNull(T.String()),
  subscription_invoice_id: orNull(T.String()),
  postback_id: orNull(T.String({ description: 'The postback that reported the order' })),
  payout_id: orNull(T.String()),
  debit: T.Enum([...creatorAccounts]),
  credit: T.Enum([...creatorAccounts]),
  amount_cents: centsField(),
  lead_id: orNull(T.String()),
});
export type CreatorLineJson = Static<typeof creatorLine>;

export const creatorStatementJson = namedObject('CreatorStatement', {
  ...periodFields,
  sold: salesJson,
  opening: creatorBalancesJson,
  lines: T.Array(creatorLine),
  closing: creatorBalancesJson,
  next_cursor: orNull(T.String()),
});

export const showCreatorBalances = ({ available, in_payout: inPayout, paid, advance }: CreatorBalances) => ({
  available_cents: available,
  in_payout_cents: inPayout,
  paid_cents: paid,
  advance_cents: advance,
});

export const showCreatorLine = (line: CreatorStatementLine): CreatorLineJson => ({
  at: isoTime(line.at),
  what: line.what,
  source: line.sourceKind,
  store_id: publicId('store', line.storeId),
  store_name: line.storeName,
  commission_id: line.commissionId === null ? null : publicId('com', line.commissionId),
  order_id: line.orderId,
  subscription_invoice_id: line.subscriptionInvoiceId,
  postback_id: line.postbackId === null ? null : publicId('post', line.postbackId),
  payout_id: line.payoutId === null ? null : publicId('pay', line.payoutId),
  debit: line.debit,
  credit: line.credit,
  amount_cents: line.amountCents,
  lead_id: line.leadId,
});

export const creatorColumns: ReadonlyArray<CsvColumn<CreatorLineJson>> = columnsOf(Object.keys(creatorLine.properties));

function columnsOf<Row extends Readonly<Record<string, CsvCell>>>(names: readonly string[]): ReadonlyArray<CsvColumn<Row>> {
  return names.map((title) => ({ title, cell: (row) => row[title] ?? null }));
}
