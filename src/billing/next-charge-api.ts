import { Type as T } from 'typebox';
import { type BillableCommission, billableTotals, listBillableCommissions, refundHoldTotals } from '../commissions/billing-sql.ts';
import { creatorNames } from '../creators/creators-sql.ts';
import { findStoreCredit } from '../ledger/store-ledger-sql.ts';
import { paymentMethodsOf } from '../merchants/payment-methods-sql.ts';
import { endpoint } from '../people/endpoint.ts';
import { listEndpoint } from '../people/list-endpoint.ts';
import type { Queryable } from '../db/database.ts';
import { centsField, isoTime, isoTimeOrNull, namedObject, orNull } from '../http/fields.ts';
import { nextDue } from '../queue/due-times.ts';
import { plusDays, startOfDay } from '../core/time.ts';
import type { Providers } from '../payments/providers.ts';
import { carryReasons, invoiceSchedule, reviewDays } from './decide-issue.ts';
import { lineColumns, lineJson, type LineJson, showLine } from './invoice-json.ts';
import { sumDraftLines, sumUnpaidInvoices } from './invoices-sql.ts';
import { planIssue } from './issue-invoice.ts';

export const nextLinesEndpoint = listEndpoint({
  summary: 'List the lines of the next invoice as of now; as a file with Accept: text/csv',
  access: { allow: 'store', permission: 'store:read' },
  item: lineJson,
  rows: ({ db, ids, now }, page) => listBillableCommissions(db, ids.store, now, page),
  renderer: ({ db }, lines) => showing(db, lines),
  key: ({ commissionId }) => [commissionId],
  csv: { name: 'next-invoice.csv', columns: lineColumns },
});

async function showing(db: Queryable, lines: readonly BillableCommission[]): Promise<(line: BillableCommission) => LineJson> {
  const names = await creatorNames(db, [...new Set(lines.map(({ creatorId }) => creatorId))]);
  return (line) => showLine({ ...line, creditNoteNumber: null }, names.get(line.creatorId) ?? '');
}

const nextChargeJson = namedObject('NextCharge', {
  next_cut_at: T.String({ description: 'When the next invoice is issued, unless enough is due earlier' }),
  next_charge_at: T.String({ description: 'When the next invoice is charged' }),
  lines_count: T.Integer(),
  lines_cents: centsField('Approved, not on hold, and past the refund hold: what it would contain today'),
  fee_cents: centsField(),
  credit_cents: centsField('Credit that would be applied'),
  total_cents: centsField(),
  is_carried_on: orNull(
    T.Enum([...carryReasons], { description: 'Why no invoice would be issued on the next date, as of now; null if one would' }),
  ),
  credit_left_cents: centsField('The total credit of the store'),
  minimum_cents: centsField(),
  early_cents: centsField(),
  fee_basis_points: T.Integer(),
  in_hold: T.Object({
    count: T.Integer({ description: 'Approved, and invoiced after its hold ends' }),
    cents: centsField(),
    first_until: orNull(T.String({ description: 'When the first hold of these ends' })),
    last_until: orNull(T.String()),
  }),
  unpaid: T.Object({
    count: T.Integer({ description: 'Unpaid invoices' }),
    total_cents: centsField('As issued'),
  }),
  has_payment_method: T.Boolean(),
});

export const nextChargeEndpoint = (providers: Providers) =>
  endpoint({
    summary: 'Get the next charge of the store: its date, its amount, and the amounts still on hold',
    access: { allow: 'store', permission: 'store:read' },
    reply: nextChargeJson,
    async handle({ db, ids, now }) {
      const storeId = ids.store;
      const { decision, facts } = await planIssue(db, providers, { storeId, now, moment: 'cut', minimum: null });
      const { amounts } = decision;
      const nextCutAt = nextDue(invoiceSchedule, now);
      const held = await refundHoldTotals(db, storeId, now);
      const unpaid = await sumUnpaidInvoices(db, storeId);
      const [begun, billable] = [await sumDraftLines(db, storeId), await billableTotals(db, storeId, now)];
      return {
        next_cut_at: isoTime(nextCutAt),
        next_charge_at: isoTime(plusDays(startOfDay(nextCutAt), reviewDays)),
        lines_count: Number(begun.count + billable.count),
        lines_cents: amounts.linesCents,
        fee_cents: amounts.feeCents,
        credit_cents: amounts.creditCents,
        total_cents: amounts.totalCents,
        is_carried_on: decision.do === 'carry on' ? decision.why : null,
        credit_left_cents: await findStoreCredit(db, storeId),
        minimum_cents: facts.settings.minimum,
        early_cents: facts.settings.early,
        fee_basis_points: facts.settings.fee,
        in_hold: {
          count: Number(held.count),
          cents: held.cents,
          first_until: isoTimeOrNull(held.firstUntil),
          last_until: isoTimeOrNull(held.lastUntil),
        },
        unpaid: { count: Number(unpaid.count), total_cents: unpaid.cents },
        has_payment_method: (await paymentMethodsOf(db, storeId)).length > 0,
      };
    },
  });
