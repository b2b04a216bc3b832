import { expect, test } from 'vitest';
import { verify } from '../../src/app/verify.ts';
import { renderEventBodies } from '../../src/webhooks/event-body.ts';
import { readPublicId } from '../../src/core/ids.ts';
import { invariant } from '../../src/core/invariant.ts';
import { expectSuccess } from '../support/billing.ts';
import type { Json } from '../support/merchant.ts';
import { chargeStore, openMerchantInSpring } from '../support/paid-month.ts';
import { expectStatementsToAgree, moveToNextMonth } from '../support/statements.ts';

/** A lead from its report to the payout of its creator. */
const { merchant, store, program } = await openMerchantInSpring();
const terms = { order_rules: [], leads: [{ kind: 'booked_call', flat_cents: 12_345 }] };
expectSuccess(await merchant.api('POST', `${program}/terms`, terms));
const lead = { lead_id: 'call-1', kind: 'booked_call', click_id: await merchant.click(), occurred_at: merchant.at() };
const commissionId: string = (await merchant.post('v2/leads', lead)).json.conversion_id;
await merchant.api('POST', `${store}/commissions/approve`, { filter: { state: 'pending' } });
await chargeStore(merchant);

test('a lead is invoiced with its ID, without a revenue, and collected', async () => {
  const { json } = await merchant.api('GET', `${store}/commissions/${commissionId}`);
  expect(json).toMatchObject({ state: 'collected', amount_cents: 12_345, eligible_cents: 0, lead_id: 'call-1', lead_kind: 'booked_call' });
  const { json: invoices } = await merchant.api('GET', `${store}/invoices`);
  const invoice = await merchant.api('GET', `${store}/invoices/${invoices.data[0].id}`);
  expect(invoice.json.lines).toMatchObject([{ lead_id: 'call-1', order_id: null, invoice_id: null, amount_cents: 12_345 }]);
  const late = await merchant.post('v2/leads/reversals', { lead_id: 'call-1' });
  expect(late.json).toMatchObject({ reason: 'paid_conversion_not_auto_reversed' });
});

test('a payout pays it, and the statements of the store and the creator name it', async () => {
  expectSuccess(await merchant.api('POST', '/payout-runs', { creator_id: merchant.world.creator.id }));
  const period = merchant.at().slice(0, 7);
  const own = await merchant.api('GET', `/creators/${merchant.world.creator.id}/statement?period=${period}&limit=200`);
  expect(own.json.lines.filter((line: Json) => line.lead_id === 'call-1').length).toBeGreaterThan(0);
  const { json } = await merchant.api('GET', `/creators/${merchant.world.creator.id}/commissions/${commissionId}`);
  expect(json).toMatchObject({ lead_id: 'call-1', lead_kind: 'booked_call', amount_cents: 12_345 });
  expect(json.explanation).toMatch(/^This lead \(booked_call\) earns 123\.45 USD\./);
});

test('the event of its commission names the lead', async () => {
  const subjectId = readPublicId('com', commissionId);
  invariant(subjectId !== null, 'the reply names the commission');
  const event = { type: 'commission.recorded', at: new Date(), subjectId, detail: {} } as const;
  const [body = ''] = await renderEventBodies(merchant.database, merchant.storeId, [event]);
  expect(JSON.parse(body).data).toMatchObject({ order_id: null, invoice_id: null, lead_id: 'call-1', lead_kind: 'booked_call' });
});

test('page, CSV, PDF, API, and ledger of the month agree to the cent, for the store and for the creator', async () => {
  const { creator } = await expectStatementsToAgree(merchant, await moveToNextMonth(merchant));
  expect(creator.closing.paid_cents).toBe(12_345);
});

test('the books have no differences', async () => {
  expect((await verify(merchant.service.platform)).filter(({ differences }) => differences.length > 0)).toEqual([]);
});
