import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectSuccess } from '../support/billing.ts';
import { openMerchant, type Json, type Merchant } from '../support/merchant.ts';
import { expectStatementsToAgree } from '../support/statements.ts';

/** Bonuses beside an order: one is paid, one is rejected, and one is credited after it was invoiced. */
let merchant: Merchant;
let month: string;
const bonuses: Record<string, Json> = {};

beforeAll(async () => {
  merchant = await openMerchant();
  await merchant.moveToSpring();
  const { world } = merchant;
  const store = `/stores/${world.store.id}`;
  await merchant.api('PUT', '/billing-settings', { fee_basis_points: 500, minimum_cents: 0, early_cents: 100_000_000 });
  await merchant.convert(await merchant.order({ order_id: 'sold', order_subtotal_cents: 10_005 }));
  for (const [reason, amount_cents] of [
    ['paid', 2_500],
    ['rejected', 900],
    ['credited', 1_234],
  ] as const) {
    const body = { creator_id: world.creator.id, amount_cents, reason };
    bonuses[reason] = (await merchant.api('POST', `${store}/programs/${world.program.id}/bonuses`, body)).json;
  }
  const approved = await merchant.api('POST', `${store}/commissions/approve`, { filter: { state: 'pending' } });
  expectSuccess(approved);
  await merchant.api('POST', `${store}/commissions/reject`, { ids: [bonuses['rejected'].commission_id], reason: 'twice' });
  await merchant.moveClock('31d');
  await merchant.api('PUT', `${store}/payment-method`, { sandbox: 'ok' });
  await merchant.api('POST', '/billing-runs', { store_id: world.store.id, minimum_cents: 0 });
  const [invoice] = (await merchant.api('GET', `${store}/invoices`)).json.data;
  const credit = { commission_ids: [bonuses['credited'].commission_id], reason: 'not agreed' };
  expectSuccess(await merchant.api('POST', `${store}/invoices/${invoice.id}/credit-notes`, credit));
  month = merchant.at().slice(0, 7);
  const next = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1, 12));
  await merchant.moveClock(`${Math.ceil((next.getTime() - Date.parse(merchant.at())) / 3_600_000)}h`);
});
afterAll(() => merchant.service.stop());

test('each bonus ends as it was decided, and its ledger begins with the bonus', async () => {
  const store = `/stores/${merchant.world.store.id}`;
  const ends = { paid: ['paid', 2_500], rejected: ['rejected', 900], credited: ['reversed', 1_234] } as const;
  for (const [name, [state, amount]] of Object.entries(ends)) {
    const path = `${store}/commissions/${bonuses[name].commission_id}`;
    const { json } = await merchant.api('GET', path);
    expect([name, json.state, json.amount_cents]).toEqual([name, state, amount]);
    const { json: story } = await merchant.api('GET', `${path}/story`);
    expect(story.ledger[0]).toMatchObject({ what: 'Bonus added', source: 'bonus', debit: 'expected', amount_cents: amount });
  }
  const [invoice] = (await merchant.api('GET', `${store}/invoices`)).json.data;
  const { json } = await merchant.api('GET', `${store}/invoices/${invoice.id}`);
  expect(json.lines.map(({ order_id: order, bonus_reason: bonus }: Json) => order ?? bonus).toSorted()).toEqual([
    'credited',
    'paid',
    'sold',
  ]);
});

test('page, CSV, PDF, API, and ledger of the month agree to the cent, for the store and for the creator', async () => {
  const { creator } = await expectStatementsToAgree(merchant, month);
  expect(creator.closing.available_cents + creator.closing.paid_cents + creator.closing.in_payout_cents).toBe(1_001 + 2_500);
});

test('the books agree', async () => {
  expect((await merchant.api('POST', '/ledger/verify')).json).toMatchObject({ ok: true, differences: [] });
});
