import { expect } from 'vitest';
import { cents, dollars } from '../../src/core/money.ts';
import type { Json, Merchant } from './merchant.ts';
import { textOfPdf } from './pdf-text.ts';

/** The amounts of the lines, in cents. */
export function amountsOfCsv(csv: string): readonly number[] {
  const [header = '', ...lines] = csv.trim().split('\r\n');
  // Counted from the end, because texts before it may contain commas.
  const titles = header.split(',');
  const place = titles.indexOf('amount_cents') - titles.length;
  return lines.map((line) => Number(line.split(',').at(place)));
}

/** Compares the statements of a month as page, CSV, PDF, and API with the ledger. Returns those of the store and of the creator. */
export async function expectStatementsToAgree(
  merchant: Merchant,
  month: string,
): Promise<{ readonly store: Json; readonly creator: Json }> {
  const { json: ledger } = await merchant.api('GET', '/ledger');
  expect(ledger.is_balanced).toBe(true);
  const accounts = [
    [`/stores/${merchant.world.store.id}/statement`, 'stores', ['expected', 'owed', 'collected', 'fee', 'credit', 'to_creators']],
    [`/creators/${merchant.world.creator.id}/statement`, 'creators', ['available', 'in_payout', 'paid', 'advance']],
  ] as const;
  for (const [path, book, names] of accounts) {
    const { json } = await merchant.api('GET', `${path}?period=${month}&limit=200`);
    const key = { authorization: `Bearer ${merchant.world.operator_key}` };
    const read = (accept: string) => fetch(`${merchant.service.url}/api/v1${path}?period=${month}`, { headers: { ...key, accept } });
    expect(amountsOfCsv(await (await read('text/csv')).text())).toEqual(json.lines.map(({ amount_cents: amount }: Json) => amount));
    const pdf = textOfPdf(Buffer.from(await (await read('application/pdf')).arrayBuffer()));
    for (const name of names) {
      const closing = json.closing[`${name}_cents`];
      const found = ledger.accounts.find((one: Json) => one.book === book && one.account === name);
      expect([name, closing]).toEqual([name, found === undefined ? 0 : Math.abs(found.debit_cents - found.credit_cents)]);
      expect(pdf).toContain(dollars(cents(closing)));
    }
  }
  const [store, creator] = await Promise.all(accounts.map(async ([path]) => (await merchant.api('GET', `${path}?period=${month}`)).json));
  return { store, creator };
}

/** Ends the month of the store's clock, and returns it. */
export async function moveToNextMonth(merchant: Merchant): Promise<string> {
  const month = merchant.at().slice(0, 7);
  const next = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1, 12));
  await merchant.moveClock(`${Math.ceil((next.getTime() - Date.parse(merchant.at())) / 3_600_000)}h`);
  return month;
}
