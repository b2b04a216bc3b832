import { runBilling } from '../src/billing/run.ts';
import type { BilledCommission } from '../src/commissions/billing-sql.ts';
import { openProviders } from '../src/providers/providers.ts';
import { verify } from '../src/verify.ts';
import { billNextAlone, collectAlone, forgetAlone } from './billing-alone-sql.ts';
import type { Bench } from './bench.ts';
import { fillApproved, fillStores } from './fill-books-sql.ts';
import type { Measured } from './questions.ts';

export type BillingSizes = { readonly stores: number; readonly perStore: number; readonly alone: number };

/**
 * A month end: everything that is approved is billed, charged and told to its creators; against the way that is written first,
 * a transaction for each commission. That one is measured on fewer, because it would take an hour; both by the commission.
 */
export async function compareBilling({ platform }: Bench, { stores, perStore, alone }: BillingSizes): Promise<readonly Measured[]> {
  const { nightDatabase } = platform;
  const one = await fillStores(nightDatabase, 1);
  await fillApproved(nightDatabase, one, alone);
  const [storeId] = one.storeIds;
  if (storeId === undefined) return [];
  const began = performance.now();
  const billed: BilledCommission[] = [];
  for (let next = await billNextAlone(nightDatabase, storeId); next !== null; next = await billNextAlone(nightDatabase, storeId))
    billed.push(next);
  for (const commission of billed) await collectAlone(nightDatabase, storeId, commission);
  const aloneMs = (performance.now() - began) / Math.max(1, billed.length);
  await forgetAlone(nightDatabase, storeId);

  const many = await fillStores(nightDatabase, stores);
  const count = await fillApproved(nightDatabase, many, perStore);
  const beganAll = performance.now();
  const night = { ...platform, database: nightDatabase };
  const invoices = await runBilling(
    { platform: night, providers: openProviders(night) },
    { storeId: null, minimum: null, now: new Date() },
  );
  const bulkMs = (performance.now() - beganAll) / count;
  const differences = (await verify(platform)).flatMap((check) => check.differences);
  return [
    {
      what: 'billing, a commission',
      sizes: `${count.toLocaleString('en')} commissions of ${stores} stores in bulk, ${billed.length.toLocaleString('en')} one by one`,
      ours: { name: 'in bulk', ms: [bulkMs] },
      other: { name: 'one by one', ms: [aloneMs] },
      ratio: 'other / ours',
      aim: { least: 20 },
      isHonest:
        billed.length === alone &&
        differences.length === 0 &&
        invoices.length === stores &&
        invoices.every(({ state }) => state === 'paid'),
    },
  ];
}
