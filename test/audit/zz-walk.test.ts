import { afterAll, beforeAll, expect, test } from 'vitest';
import { disputeLost } from '../../src/billing/disputes.ts';
import { chargeOpen } from '../../src/billing/jobs.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { openProviders, type Money } from '../../src/providers/providers.ts';
import { anotherBiller, differences, good, type Biller } from '../support/billing.ts';
import { openMerchant, type Json, type Merchant } from '../support/merchant.ts';
let merchant: Merchant; let money: Money;
beforeAll(async () => { merchant = await openMerchant(); const { platform } = merchant.service; money = { platform, providers: openProviders(platform) }; good(await merchant.api('PUT', '/billing-settings', { fee_basis_points: 1_037 })); });
afterAll(() => merchant.service.stop());
function rnd(seed: number) { let s = seed >>> 0; return () => { s = (s + 0x6d2b79f5) >>> 0; let t = s; t = Math.imul(t ^ (t >>> 15), t | 1); t ^= t + Math.imul(t ^ (t >>> 7), t | 61); return ((t ^ (t >>> 14)) >>> 0) / 4294967296; }; }
const first = Number(process.env['SEED'] ?? 1), count = Number(process.env['N'] ?? 3), ops = Number(process.env['OPS'] ?? 25);
for (let seed = first; seed < first + count; seed++) test(`walk ${seed}`, async () => {
  const r = rnd(seed); const pick = <T,>(xs: readonly T[]): T => xs[Math.floor(r() * xs.length)] as T;
  const b: Biller = await anotherBiller(merchant); const { api, storeId, database, world } = b.merchant;
  const all: string[] = []; const log: string[] = []; const borne = new Set<string>();
  const invoices = async (): Promise<Json[]> => (await b.invoices()) as Json[];
  const steps: Record<string, () => Promise<unknown>> = {
    sell: async () => { const ids = await b.billable(...Array.from({ length: 1 + Math.floor(r() * 3) }, () => 1 + Math.floor(r() * 5000))); all.push(...ids); return ids.length; },
    run: async () => (await b.run({ minimum_cents: 0 })).map((i) => i.state),
    method: async () => { const w = pick(['ok', 'ok', 'declined', 'insufficient_then_ok', 'timeout_done', 'never', 'error_done'] as const); await b.pays(w); await chargeOpen(money, storeId, money.platform.clock.now()); return w; },
    ok: async () => { await b.pays('ok'); await chargeOpen(money, storeId, money.platform.clock.now()); },
    credit: async () => { const inv = pick(await invoices()); if (!inv) return 'none'; const lines = (await api('GET', `${b.store}/invoices/${inv.id}`)).json.lines.map((l: Json) => l.commission_id).filter(() => r() < 0.5); if (lines.length === 0) return 'none'; const came = await api('POST', `${b.store}/invoices/${inv.id}/credit-notes`, { commission_ids: lines, reason: 'x', operator_bears: r() < 0.4 }); if (came.status >= 500) throw new Error(came.text); return [inv.state, came.status, came.json.invoice_state, came.json.results && Object.values(came.json.results)]; },
    dispute: async () => { const refs = await b.references(); if (refs.length === 0) return 'none'; const reference = pick(refs); return disputeLost(money, { about: 'dispute_lost', newsId: `n ${r()}`, reference, at: money.platform.clock.now(), why: 'no' }); },
    payout: async () => { const w = pick(['ok', 'ok', 'returned', 'declined', 'timeout_done', 'never']); await database.run(sql`update payout_methods set instrument = ${w} where creator_id = (select creator_id from commissions where store_id = ${storeId} limit 1)`); const came = await api('POST', '/payout-runs', { creator_id: world.creator.id, minimum_cents: 0 }); if (came.status >= 500) throw new Error(came.text); return [w, came.json.payouts?.map((p: Json) => p.state)]; },
    back: async () => { const list = (await api('GET', `/creators/${world.creator.id}/payouts`)).json.data.filter((p: Json) => p.state === 'paid'); if (list.length === 0) return 'none'; return (await api('POST', `/payouts/${pick<Json>(list).id}/mark-returned`, { reason: 'came back' })).status; },
    hold: async () => all.length && (await api('POST', `${b.store}/commissions/hold`, { ids: [pick(all)], reason: 'dispute' })).status,
    release: async () => all.length && (await api('POST', `${b.store}/commissions/release`, { ids: all })).status,
    archive: async () => (await api('POST', `${b.store}/archive`)).status,
    unarchive: async () => (await api('POST', `${b.store}/unarchive`)).status,
    minutes: () => merchant.moveClock('3m'),
    day: () => merchant.moveClock('1d'),
  };
  const names = ['sell', 'sell', 'sell', 'run', 'run', 'run', 'method', 'ok', 'credit', 'credit', 'credit', 'dispute', 'dispute', 'payout', 'payout', 'back', 'ok', 'hold', 'release', 'archive', 'unarchive', 'minutes', 'day'];
  const par = ['run', 'credit', 'credit', 'dispute', 'dispute', 'payout', 'payout', 'back', 'hold', 'release', 'ok'];
  for (let i = 0; i < ops; i++) { const n = pick(names); log.push(n); try { if (r() < 0.35 && !['minutes', 'day', 'method', 'ok'].includes(n)) { const more = [n, pick(par), pick(par), pick(par)]; log.push('||' + more.join('+')); log.push(JSON.stringify(await Promise.all(more.map((one) => steps[one]?.())))); } else log.push(JSON.stringify(await steps[n]?.())); } catch (e) { console.log(log.join(' ')); throw e; }
    if (i % 5 === 4) { const d = await differences(merchant); if (d.length > 0) { console.log(seed, log.join(' ')); expect(d).toEqual([]); } } }
  for (const n of ['unarchive', 'release', 'minutes', 'ok', 'day', 'run', 'ok', 'run', 'minutes']) { log.push(n, JSON.stringify(await steps[n]?.())); }
  const d = await differences(merchant); if (d.length > 0) console.log(seed, log.join(' ')); expect(d).toEqual([]);
  const states = new Set((await invoices()).map((i) => i.state));
  const st = [await b.status(), [...states].sort().join(), JSON.stringify(await b.states())];
  if (st[0] !== 'active' || [...states].some((s) => !['paid', 'void'].includes(s))) console.log(seed, st, log.join(' '));
  void borne;
});
