import type { Store } from '../merchants/stores-sql.ts';
import { cents, dollars, type Cents } from '../core/money.ts';
import { drawPdf } from '../pdf/pdf.ts';
import { dueOf, invoiceName, type CreditedSoFar, type Invoice } from './invoice.ts';
import type { ShownInvoiceState } from './invoice-states.ts';

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
  issued: 'Issued, not charged yet',
  charging: 'Being charged',
  unknown: 'Charged, not confirmed yet',
  paid: 'Paid',
  retrying: 'Charge failed, tried again',
  past_due: 'Past due',
  void: 'Void: wholly credited',
  charged_back: 'Payment taken back',
};

export const invoicePdf = ({ invoice, credited, store, issuer, shares }: PrintedInvoice): Promise<Buffer> =>
  drawPdf(`Invoice ${invoiceName(invoice.number)}`, (page) => {
    page.title('Invoice', invoiceName(invoice.number), stateWords[invoice.state]);
    page.facts([
      [
        ['Owed by', store.name],
        ['Shop', store.siteUrl],
      ],
      [
        ['Owed to', 'Tributary, for the creators below'],
        ['Reached at', issuer],
      ],
    ]);
    page.facts([[['Issued', dayText(invoice.issuedAt)]], [chargeFact(invoice)]]);
    page.table(['Commissions of creators', 'Number', 'Amount'], creatorRows(invoice, shares));
    page.table(['Summary', 'Amount'], sumRows(invoice, credited));
    page.text('All amounts are in US dollars. Sales tax is not calculated. The CSV file of this invoice lists every commission.');
    page.text('An issued invoice is never changed: what is refunded later is credited by a credit note, against its number.');
  });

function chargeFact({ state, paidAt, nextChargeAt, voidedAt }: Invoice): readonly [string, string] {
  if (paidAt !== null) return ['Paid', dayText(paidAt)];
  if (voidedAt !== null) return ['Voided', dayText(voidedAt)];
  if (state === 'charging' || state === 'unknown') return ['Paid', 'not yet: its charge is under way'];
  return ['Charged on', nextChargeAt === null ? 'after the payment method is updated' : dayText(nextChargeAt)];
}

function creatorRows(invoice: Invoice, shares: PrintedInvoice['shares']) {
  const named = shares.map(({ name, count, cents: amount }) => ({ cells: [name, count.toString(), dollars(amount)] }));
  const restCount = BigInt(invoice.linesCount) - shares.reduce((total, { count }) => total + count, 0n);
  const restCents = cents(invoice.linesCents - shares.reduce((total, share) => total + share.cents, 0n));
  const rest = restCount === 0n ? [] : [{ cells: ['Other creators', restCount.toString(), dollars(restCents)] }];
  return [...named, ...rest, { cells: ['Commissions', String(invoice.linesCount), dollars(invoice.linesCents)], isStrong: true }];
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
    { cells: ['Commissions', dollars(linesCents)] },
    { cells: [`Platform fee, ${percent} % of the commissions`, dollars(feeCents)] },
    ...where(creditCents, 'Credit used', '- '),
    { cells: ['Total', dollars(totalCents)], isStrong: true },
    ...where(before, 'Credited since, by credit notes', '- '),
    ...where(writtenOffCents, 'Too little to be charged, waived', '- '),
    { cells: ['Still to be paid', dollars(due)], isStrong: true },
    ...where(after, 'Credited after it was paid, for the next invoices'),
  ];
}

const dayText = (time: Date): string => time.toISOString().slice(0, 10);
