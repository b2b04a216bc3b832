import { createFormats } from '../../locales/message-formats.ts';
import type { Store } from '../merchants/stores-sql.ts';
import { cents, dollars, type Cents } from '../core/money.ts';
import { drawPdf } from '../pdf/pdf.ts';
import { dueOf, invoiceName, type CreditedSoFar, type Invoice } from './invoice.ts';
import type { ShownInvoiceState } from './invoice-states.ts';
import { apiMessage } from '../messages/api-message.ts';

export type PrintedInvoice = {
  readonly invoice: Invoice;
  readonly credited: CreditedSoFar;
  readonly store: Pick<Store, 'name' | 'siteUrl'>;
  /** The contact address of the platform, which the store owes. */
  readonly issuer: string;
  /** The creators with the largest amounts; one line has the rest. */
  readonly shares: ReadonlyArray<{ readonly name: string; readonly count: bigint; readonly cents: Cents }>;
};

const stateWords: Readonly<Record<ShownInvoiceState, string>> = {
  issued: apiMessage('invoice_pdf.issued'),
  charging: apiMessage('invoice_pdf.charging'),
  unknown: apiMessage('invoice_pdf.unknown'),
  paid: apiMessage('invoice_pdf.paid'),
  retrying: apiMessage('invoice_pdf.retrying'),
  past_due: apiMessage('invoice_pdf.past_due'),
  void: apiMessage('invoice_pdf.void'),
  charged_back: apiMessage('invoice_pdf.charged_back'),
};

export const invoicePdf = ({ invoice, credited, store, issuer, shares }: PrintedInvoice): Promise<Buffer> =>
  drawPdf(apiMessage('invoice_pdf.invoice', { number: invoiceName(invoice.number) }), (page) => {
    page.title(apiMessage('invoice_pdf.invoice_2'), invoiceName(invoice.number), stateWords[invoice.state]);
    page.facts([
      [
        [apiMessage('invoice_pdf.owed_by'), store.name],
        [apiMessage('invoice_pdf.store'), store.siteUrl],
      ],
      [
        [apiMessage('invoice_pdf.owed'), apiMessage('invoice_pdf.tributary_for_creators_below')],
        [apiMessage('invoice_pdf.reached_at'), issuer],
      ],
    ]);
    page.facts([[[apiMessage('invoice_pdf.issued_2'), dayText(invoice.issuedAt)]], [chargeFact(invoice)]]);
    page.table(
      [apiMessage('invoice_pdf.commissions_creators'), apiMessage('invoice_pdf.number'), apiMessage('invoice_pdf.amount')],
      creatorRows(invoice, shares),
    );
    page.table([apiMessage('invoice_pdf.summary'), apiMessage('invoice_pdf.amount')], sumRows(invoice, credited));
    page.text(apiMessage('invoice_pdf.all_amounts_us_dollars_sales'));
    page.text(apiMessage('invoice_pdf.issued_invoice_never_changed_what'));
  });

function chargeFact({ state, paidAt, nextChargeAt, voidedAt }: Invoice): readonly [string, string] {
  if (paidAt !== null) return [apiMessage('invoice_pdf.paid'), dayText(paidAt)];
  if (voidedAt !== null) return [apiMessage('invoice_pdf.voided'), dayText(voidedAt)];
  if (state === 'charging' || state === 'unknown')
    return [apiMessage('invoice_pdf.paid'), apiMessage('invoice_pdf.not_yet_its_charge_under')];
  return [
    apiMessage('invoice_pdf.charged_on'),
    nextChargeAt === null ? apiMessage('invoice_pdf.after_payment_method_updated') : dayText(nextChargeAt),
  ];
}

function creatorRows(invoice: Invoice, shares: PrintedInvoice['shares']) {
  const named = shares.map(({ name, count, cents: amount }) => ({ cells: [name, count.toString(), dollars(amount)] }));
  const restCount = BigInt(invoice.linesCount) - shares.reduce((total, { count }) => total + count, 0n);
  const restCents = cents(invoice.linesCents - shares.reduce((total, share) => total + share.cents, 0n));
  const rest = restCount === 0n ? [] : [{ cells: [apiMessage('invoice_pdf.other_creators'), restCount.toString(), dollars(restCents)] }];
  return [
    ...named,
    ...rest,
    { cells: [apiMessage('invoice_pdf.commissions'), String(invoice.linesCount), dollars(invoice.linesCents)], isStrong: true },
  ];
}

function sumRows(invoice: Invoice, credited: CreditedSoFar) {
  const { linesCents, feeCents, feeBasisPoints, creditCents, totalCents, writtenOffCents, state } = invoice;
  const percent = (feeBasisPoints / 100).toString();
  const before = cents(credited.beforeLines + credited.beforeFee - credited.beforeCredit);
  const after = cents(credited.afterLines + credited.afterFee);
  const isSettled = state === 'paid' || state === 'void';
  const due = isSettled ? cents(0) : dueOf(invoice, credited);
  const where = (amount: Cents, what: string, sign = '') => (amount === 0n ? [] : [{ cells: [what, `${sign}${dollars(amount)}`] }]);
  return [
    { cells: [apiMessage('invoice_pdf.commissions'), dollars(linesCents)] },
    { cells: [apiMessage('invoice_pdf.platform_fee_commissions', { percent }), dollars(feeCents)] },
    ...where(creditCents, apiMessage('invoice_pdf.credit_used'), '- '),
    { cells: [apiMessage('invoice_pdf.total'), dollars(totalCents)], isStrong: true },
    ...where(before, apiMessage('invoice_pdf.credited_since_by_credit_notes'), '- '),
    ...where(writtenOffCents, apiMessage('invoice_pdf.too_little_charged_waived'), '- '),
    { cells: [apiMessage('invoice_pdf.still_paid'), dollars(due)], isStrong: true },
    ...where(after, apiMessage('invoice_pdf.credited_after_paid_for_next')),
  ];
}

const dayText = createFormats('en', 'UTC').day;
