import { expect, test } from 'vitest';
import { expectSuccess } from '../support/billing.ts';
import type { Json } from '../support/merchant.ts';
import { chargeStore, openMerchantInSpring, testStatementsAndBooks } from '../support/paid-month.ts';
import { moveToNextMonth } from '../support/statements.ts';

/** Bonuses beside an order: one is paid, one is rejected, and one is credited after it was invoiced. */
const { merchant, store, program } = await openMerchantInSpring();
const bonuses: Record<string, Json> = {};

await merchant.convert(await merchant.order({ order_id: 'sold', order_subtotal_cents: 10_005 }));
for (const [reason, amount_cents] of [
  ['paid', 2_500],
  ['rejected', 900],
  ['credited', 1_234],
] as const) {
  const body = { creator_id: merchant.world.creator.id, amount_cents, reason };
  bonuses[reason] = (await merchant.api('POST', `${program}/bonuses`, body)).json;
}
expectSuccess(await merchant.api('POST', `${store}/commissions/approve`, { filter: { state: 'pending' } }));
await merchant.api('POST', `${store}/commissions/reject`, { ids: [bonuses['rejected'].commission_id], reason: 'twice' });
await chargeStore(merchant);
const [invoice] = (await merchant.api('GET', `${store}/invoices`)).json.data;
const credit = { commission_ids: [bonuses['credited'].commission_id], reason: 'not agreed' };
expectSuccess(await merchant.api('POST', `${store}/invoices/${invoice.id}/credit-notes`, credit));
const month = await moveToNextMonth(merchant);

test('each bonus ends as it was decided, and its ledger begins with the bonus', async () => {
  const ends = { paid: ['paid', 2_500], rejected: ['rejected', 900], credited: ['reversed', 1_234] } as const;
  for (const [name, [state, amount]] of Object.entries(ends)) {
    const path = `${store}/commissions/${bonuses[name].commission_id}`;
    const { json } = await merchant.api('GET', path);
    expect([name, json.state, json.amount_cents]).toEqual([name, state, amount]);
    const { json: story } = await merchant.api('GET', `${path}/story`);
    expect(story.ledger[0]).toMatchObject({ what: 'Bonus added', source: 'bonus', debit: 'expected', amount_cents: amount });
  }
  const { json } = await merchant.api('GET', `${store}/invoices/${invoice.id}`);
  expect(json.lines.map(({ order_id: order, bonus_reason: bonus }: Json) => order ?? bonus).toSorted()).toEqual([
    'credited',
    'paid',
    'sold',
  ]);
});

testStatementsAndBooks(merchant, month, [1_001, 2_500]);
