import { dollars, cents } from '../core/money.ts';
import { drawPdf } from '../pdf/pdf.ts';

export type PrintedStatement = {
  readonly whose: string;
  readonly period: string;
  readonly isFinal: boolean;
  readonly issuer: string;
  readonly accounts: ReadonlyArray<{ readonly name: string; readonly opening: bigint; readonly closing: bigint }>;
  /** Totals by kind of transfer; the CSV file has every line. */
  readonly sums: ReadonlyArray<{ readonly what: string; readonly count: number; readonly amount: bigint }>;
};

export const statementPdf = ({ whose, period, isFinal, issuer, accounts, sums }: PrintedStatement): Promise<Buffer> =>
  drawPdf(`Statement ${period}`, (page) => {
    page.title('Statement', period, isFinal ? 'Final' : 'The month is not over');
    page.facts([[['For', whose]], [['Issued at', issuer]]]);
    page.table(
      ['Account', 'Opening', 'Closing'],
      accounts.map(({ name, opening, closing }) => ({ cells: [name, signedDollars(opening), signedDollars(closing)] })),
    );
    page.table(
      ['What happened', 'Number', 'Amount'],
      sums.map(({ what, count, amount }) => ({ cells: [what, String(count), dollars(cents(amount))] })),
    );
    page.text(
      'Amounts are in US dollars, by the time of posting, in UTC. The CSV file of this statement holds every single line with its order.',
    );
  });

const signedDollars = (amount: bigint): string => (amount < 0n ? `- ${dollars(cents(-amount))}` : dollars(cents(amount)));

const accountLabels: Readonly<Record<string, string>> = {
  expected: 'Commissions not billed yet',
  owed: 'Invoiced and not paid',
  collected: 'Paid by the store',
  fee: 'Platform fee',
  credit: 'Credit for the next invoices',
  to_creators: 'The amount owed to creators',
  available: 'Available for payout',
  in_payout: 'On its way',
  paid: 'Paid out',
  advance: 'Paid out before the store paid',
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
