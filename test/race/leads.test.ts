import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { verify } from '../../src/app/verify.ts';
import { sql } from '../../src/db/sql.ts';
import { expectSuccess } from '../support/billing.ts';
import { merchantIn, openMerchant, type ApiResponse, type Merchant } from '../support/merchant.ts';
import { tally } from '../support/send-again.ts';
import { startTestServiceOn } from '../support/service.ts';

const copies = 200;
/** One store, as the servers of two of our processes see it. */
const here = await openMerchant();
const there = merchantIn(await startTestServiceOn(here.service.databaseUrl), here.world);
const terms = {
  order_rules: [{ basis_points: 1_000 }],
  returning: { days: 30, new_click: 'first_partner' },
  leads: [
    { kind: 'sign_up', flat_cents: 200 },
    { kind: 'trial', flat_cents: 500, max_per_month: 7 },
  ],
};
expectSuccess(await here.api('POST', `/stores/${here.world.store.id}/programs/${here.world.program.id}/terms`, terms));
afterAll(async () => {
  await there.service.stop();
  await here.service.stop();
});

/** A sender repeats what is answered 503, which a busy machine may do. */
async function post(merchant: Merchant, path: string, body: object): Promise<ApiResponse> {
  for (;;) {
    const response = await merchant.post(path, body);
    if (response.status !== 503) return response;
    unavailable += 1;
    await pause(200);
  }
}
/** The number of answers 503 so far. */
let unavailable = 0;
const many = (path: string, bodyOf: (index: number) => object): Promise<ApiResponse[]> =>
  Promise.all(Array.from({ length: copies }, (_none, index) => post(index % 2 === 0 ? here : there, path, bodyOf(index))));

const leadOf = async <Fields extends object>(fields: Fields) => ({
  kind: 'sign_up',
  click_id: await here.click(),
  occurred_at: here.at(),
  ...fields,
});

test('200 copies of a lead record it once', async () => {
  const lead = await leadOf({ lead_id: 'race copies' });
  const reversal = { lead_id: 'race copies', reason: 'spam' };
  for (const [path, body] of [
    ['v2/leads', lead],
    ['v2/leads/reversals', reversal],
  ] as const) {
    const before = unavailable;
    const counts = tally(await many(path, () => body));
    // A 503 does not say whether the report was committed. If it was, the repeat of the first copy is a duplicate too.
    const allowed = [{ '200 recorded': 1, '200 duplicate_lead': copies - 1 }, { '200 duplicate_lead': copies }];
    expect(unavailable === before ? allowed.slice(0, 1) : allowed).toContainEqual(counts);
  }
});

test('200 leads of one creator are paid exactly as often as the limit of the month', async () => {
  const lead = await leadOf({ kind: 'trial' });
  const responses = await many('v2/leads', (index) => ({ ...lead, lead_id: `race limit ${index}` }));
  // One that was answered 503 may have been recorded, and its repeat is a duplicate.
  expect(responses.filter(({ status }) => status !== 200)).toEqual([]);
  const paid = await here.database.all(sql`
    select paid_number from leads where store_id = ${here.storeId} and kind = 'trial' and paid_number is not null order by paid_number`);
  expect(paid).toEqual(Array.from({ length: 7 }, (_none, index) => ({ paidNumber: index + 1 })));
});

test('a lead and its reversal at the same time end reversed or on hold, and never both forgotten', async () => {
  const fresh = await Promise.all(Array.from({ length: copies / 2 }, (_none, index) => leadOf({ lead_id: `race both ${index}` })));
  await Promise.all(
    fresh.flatMap((lead) => [post(here, 'v2/leads', lead), post(there, 'v2/leads/reversals', { lead_id: lead.lead_id, reason: 'x' })]),
  );
  const states = await here.database.all<{ state: string; heldReason: string | null }>(sql`
    select state, held_reason from commissions where store_id = ${here.storeId} and source_text like 'race both %'`);
  expect(states).toHaveLength(copies / 2);
  expect(states.filter(({ state, heldReason }) => state !== 'reversed' && heldReason !== 'early_reversal')).toEqual([]);
});

test('200 leads and orders of one customer bind the customer once', async () => {
  const clicks = await Promise.all(Array.from({ length: copies }, () => here.click()));
  const order = await here.order({ customer_id: 'race customer' });
  const lead = await leadOf({ customer_id: 'race customer' });
  const responses = await Promise.all(
    clicks.map((click_id, index) =>
      index % 2 === 0
        ? post(here, 'v2/leads', { ...lead, lead_id: `race bind ${index}`, click_id })
        : post(there, 'conversions', { ...order, order_id: `race bind ${index}`, click_id }),
    ),
  );
  expect(responses.filter(({ status }) => status !== 200)).toEqual([]);
  const bindings = await here.database.all(sql`select 1 as one from customer_bindings where store_id = ${here.storeId}`);
  expect(bindings).toHaveLength(1);
});

test('the books have no differences after the races', async () => {
  expect((await verify(here.service.platform)).filter(({ differences }) => differences.length > 0)).toEqual([]);
});
