import { runBilling } from '../src/billing/run-billing.ts';
import type { CommissionAmount } from '../src/commissions/billing-sql.ts';
import { openProviders } from '../src/payments/providers.ts';
import type { Database } from '../src/db/database.ts';
import { invariant } from '../src/core/invariant.ts';
import { verify } from '../src/app/verify.ts';
import { invoiceNextAlone, collectAlone, forgetAlone } from './billing-alone-sql.ts';
import type { Bench } from './bench.ts';
import { fillApproved, fillStores } from './fill-books-sql.ts';
import type { Measured } from './queries.ts';

export type BillingSizes = { readonly stores: number; readonly perStore: number; readonly alone: number };

/**
 * Compares a month-end invoice run with one transaction per commission. The latter is measured on fewer commissions, because it would take
 * an hour. Both report time per commission and take turns, so that other load on the machine affects both.
 */
export async function compareBilling({ platform, patient, pace }: Bench, sizes: BillingSizes): Promise<readonly Measured[]> {
  const { jobsDatabase } = platform;
  const { rounds } = pace;
  const jobsPlatform = { ...platform, database: jobsDatabase };
  const each = { stores: Math.ceil(sizes.stores / rounds), perStore: sizes.perStore, alone: Math.ceil(sizes.alone / rounds) };
  const ways: { readonly alone: Round[]; readonly bulk: Round[] } = { alone: [], bulk: [] };
  for (let round = 0; round < rounds; round++) {
    ways.alone.push(await oneByOne(jobsDatabase, each.alone));
    ways.bulk.push(await inBulk({ platform: jobsPlatform, patient }, each));
  }
  const differences = (await verify(platform)).flatMap((check) => check.differences);
  const count = (all: readonly Round[]) => all.reduce((sum, { billed }) => sum + billed, 0).toLocaleString('en');
  return [
    {
      what: 'billing, a commission',
      sizes: `${count(ways.bulk)} commissions of ${each.stores * rounds} stores in bulk, ${count(ways.alone)} one by one`,
      ours: { name: 'in bulk', ms: ways.bulk.map(({ ms }) => ms) },
      other: { name: 'one by one', ms: ways.alone.map(({ ms }) => ms) },
      ratio: 'other / ours',
      aim: { least: 20 },
      isHonest: differences.length === 0 && [...ways.alone, ...ways.bulk].every(({ isWhole }) => isWhole),
    },
  ];
}

/** Milliseconds per commission, and whether every due commission was invoiced. */
type Round = { readonly ms: number; readonly billed: number; readonly isWhole: boolean };

async function oneByOne(database: Database, wanted: number): Promise<Round> {
  const filled = await fillStores(database, 1);
  await fillApproved(database, filled, wanted);
  const [storeId] = filled.storeIds;
  invariant(storeId !== undefined, 'the store exists');
  const began = performance.now();
  const billed: CommissionAmount[] = [];
  for (let next = await invoiceNextAlone(database, storeId); next !== null; next = await invoiceNextAlone(database, storeId))
    billed.push(next);
  for (const commission of billed) await collectAlone(database, storeId, commission);
  const ms = (performance.now() - began) / Math.max(1, billed.length);
  await forgetAlone(database, storeId);
  return { ms, billed: billed.length, isWhole: billed.length === wanted };
}

async function inBulk({ platform, patient }: Pick<Bench, 'platform' | 'patient'>, { stores, perStore }: BillingSizes): Promise<Round> {
  const filled = await fillStores(patient, stores);
  const count = await fillApproved(patient, filled, perStore);
  const began = performance.now();
  const invoices = await runBilling({ platform, providers: openProviders(platform) }, { storeId: null, minimum: null, now: new Date() });
  const ms = (performance.now() - began) / count;
  return { ms, billed: count, isWhole: invoices.length === stores && invoices.every(({ state }) => state === 'paid') };
}
