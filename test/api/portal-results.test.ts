import { afterAll, expect, test } from 'vitest';
import { openMerchant, type Json } from '../support/merchant.ts';
import { createCreatorPerson, joinProgram } from '../support/portal.ts';

const merchant = await openMerchant();
afterAll(() => merchant.service.stop());

const resultsOf = async (creator: string, query = ''): Promise<Json> =>
  (await merchant.api('GET', `/creators/${creator}/results${query}`)).json;
const results = (query = '') => resultsOf(merchant.world.creator.id, query);
const none = { clicks: 0, leads: 0, orders: 0, revenue_cents: 0, earned_cents: 0 };

test('a creator sees the results of a period by day, program, and link, and each of the three adds up to the totals', async () => {
  const orders = [];
  for (const order_subtotal_cents of [10_000, 30_000]) {
    const order = await merchant.order({ order_subtotal_cents });
    await merchant.convert(order);
    orders.push(order.order_id);
  }
  await merchant.click();
  await merchant.reverse({ order_id: orders[0] });
  const totals = { clicks: 3, leads: 0, orders: 2, revenue_cents: 40_000, earned_cents: 3_000 };
  const { store, program, link } = merchant.world;
  const shown = await results();
  expect(shown).toMatchObject({
    totals,
    compared: null,
    days: [{ day: merchant.at().slice(0, 10), ...totals }],
    programs: [{ program_id: program.id, store_id: store.id, ...totals }],
    links: [{ code: link.url.split('/').at(-1), program_id: program.id, ...totals }],
  });
  expect(shown.programs[0].store_name).toBe((await merchant.api('GET', `/stores/${store.id}`)).json.name);
  const profile = (await merchant.api('GET', `/stores/${store.id}/creators/${merchant.world.creator.id}`)).json;
  expect(profile.totals).toEqual(totals);
});

test('a period is compared with the one before, which is incomplete if the creator did not exist yet', async () => {
  const now = await results('?compare=previous_period&days=7');
  expect(now.compared).toMatchObject({ totals: none, days: [], is_complete: false });
  await merchant.moveClock('10d');
  const later = await results('?compare=previous_period&days=8');
  expect(later).toMatchObject({ totals: none, compared: { is_complete: false } });
  await merchant.moveClock('20d');
  const latest = await results('?compare=previous_period&days=9');
  expect(latest).toMatchObject({ totals: none, compared: { totals: none, is_complete: true } });
});

test('the results of one link are those of the whole period if the creator has no other', async () => {
  const code = merchant.world.link.url.split('/').at(-1);
  const [all, ofLink] = [await results('?days=60'), await results(`?days=60&link=${code}`)];
  expect(ofLink).toEqual(all);
  expect(ofLink.totals.orders).toBe(2);
  expect((await merchant.api('GET', `/creators/${merchant.world.creator.id}/results?link=unknown-link`)).status).toBe(404);
});

test('a creator has no results from links of other creators, and cannot name one of their links', async () => {
  const nora = await createCreatorPerson(merchant.service, 'Nora Newcomer');
  await joinProgram(merchant, nora);
  expect(await resultsOf(nora.id, '?days=60')).toMatchObject({ totals: none, days: [], programs: [], links: [] });
  const code = merchant.world.link.url.split('/').at(-1);
  expect((await merchant.api('GET', `/creators/${nora.id}/results?link=${code}`)).status).toBe(404);
  const foreign = await nora.ask('GET', `/creators/${merchant.world.creator.id}/results`);
  const missing = await nora.ask('GET', '/creators/crt_00000000000000000000000000/results');
  expect([foreign.status, foreign.text]).toEqual([404, missing.text]);
});

test.each(['?from=2026-02-31', '?days=0', '?from=2026-05-02&to=2026-05-01', '?compare=last'])('%s is rejected with 400', async (query) => {
  expect((await merchant.api('GET', `/creators/${merchant.world.creator.id}/results${query}`)).status).toBe(400);
});
