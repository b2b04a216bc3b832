import { dollars, cents } from '../core/money.ts';
import { drawPdf } from '../pdf/pdf.ts';
import { apiMessage } from '../messages/api-message.ts';
import type { Period } from './period.ts';

export type PrintedStatement = {
  readonly whose: string;
  readonly period: Period;
  readonly isFinal: boolean;
  readonly issuer: string;
  readonly accounts: ReadonlyArray<{ readonly name: string; readonly opening: bigint; readonly closing: bigint }>;
  /** Totals by kind of transfer; the CSV file has every line. */
  readonly sums: ReadonlyArray<{ readonly what: string; readonly count: number; readonly amount: bigint }>;
};

export function statementPdf({ whose, period, isFinal, issuer, accounts, sums }: PrintedStatement): Promise<Buffer> {
  // English, as the rest of the document.
  const month = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(period.from);
  return drawPdf(apiMessage('statement_pdf.statement', { period: month }), (page) => {
    page.title(
      apiMessage('statement_pdf.statement_2'),
      month,
      isFinal ? apiMessage('statement_pdf.final') : apiMessage('statement_pdf.month_not_over'),
    );
    page.facts([[[apiMessage('statement_pdf.for'), whose]], [[apiMessage('statement_pdf.issued_at'), issuer]]]);
    page.table(
      [apiMessage('statement_pdf.account'), apiMessage('statement_pdf.opening'), apiMessage('statement_pdf.closing')],
      accounts.map(({ name, opening, closing }) => ({ cells: [name, signedDollars(opening), signedDollars(closing)] })),
    );
    page.table(
      [apiMessage('statement_pdf.what_happened'), apiMessage('statement_pdf.number'), apiMessage('statement_pdf.amount')],
      sums.map(({ what, count, amount }) => ({ cells: [what, String(count), dollars(cents(amount))] })),
    );
    page.text(apiMessage('statement_pdf.amounts_us_dollars_by_time'));
  });
}

const signedDollars = (amount: bigint): string => (amount < 0n ? `- ${dollars(cents(-amount))}` : dollars(cents(amount)));

const accountLabels: Readonly<Record<string, string>> = {
  expected: apiMessage('statement_pdf.expected'),
  owed: apiMessage('statement_pdf.owed'),
  collected: apiMessage('statement_pdf.collected'),
  fee: apiMessage('statement_pdf.fee'),
  credit: apiMessage('statement_pdf.credit'),
  to_creators: apiMessage('statement_pdf.to_creators'),
  available: apiMessage('statement_pdf.available'),
  in_payout: apiMessage('statement_pdf.in_payout'),
  paid: apiMessage('statement_pdf.paid'),
  advance: apiMessage('statement_pdf.advance'),
};

export const accountRows = (
  opening: Readonly<Record<string, bigint>>,
  closing: Readonly<Record<string, bigint>>,
): PrintedStatement['accounts'] =>
  Object.entries(opening).map(([account, held]) => ({
    name: accountLabels[account] ?? account,
    opening: held,
    closing: closing[account] ?? 0n,
  }));

/** Adds up while reading, because a month may have a million lines. */
export async function sumByKind(
  pages: AsyncIterable<ReadonlyArray<{ readonly what: string; readonly amountCents: bigint }>>,
): Promise<PrintedStatement['sums']> {
  const sums = new Map<string, { count: number; amount: bigint }>();
  for await (const lines of pages) {
    for (const { what, amountCents } of lines) {
      const sum = sums.get(what) ?? { count: 0, amount: 0n };
      sum.count += 1;
      sum.amount += amountCents;
      sums.set(what, sum);
    }
  }
  return [...sums].map(([what, sum]) => ({ what, ...sum }));
}
