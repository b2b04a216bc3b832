import { afterAll, expect, test } from 'vitest';
import { moveSandboxClock } from '../../src/db/sandbox-clock.ts';
import { openMerchant, otherMerchant, type Json } from '../support/merchant.ts';
import { createCreatorPerson, joinProgram, creatorKeyClient, anonymousClient, sessionHeaders, signIn } from '../support/portal.ts';
import { reviewerOf } from '../support/review.ts';
import { subscriberOf } from '../support/subscriber.ts';

const merchant = await openMerchant();
afterAll(() => merchant.service.stop());
// The same day of the year in every run, because the expected dates are calendar dates.
const { jobsDatabase, clock } = merchant.service.platform;
await moveSandboxClock(jobsDatabase, clock, new Date(`${clock.now().getUTCFullYear() + 1}-03-10T12:00:00.000Z`));
const nora = await createCreatorPerson(merchant.service);
const cora = await creatorKeyClient(merchant, merchant.world.creator.id);
const linkUrl = (await joinProgram(merchant, nora)).link.url;

const sell = async (fields: object = {}, link = linkUrl): Promise<string> => {
  const sold = await reviewerOf(merchant).sale({ click_id: await merchant.click(link), ...fields });
  return sold.commissionId;
};
const sales = async (query = ''): Promise<Json[]> => {
  const { json, status, text } = await nora.ask('GET', `/creators/${nora.id}/commissions${query}`);
  expect(status, text).toBe(200);
  return json.data;
};
const saleOf = async (id: string): Promise<Json> => (await sales()).find((sale) => sale.id === id);
const on = (day: string) => expect.stringMatching(new RegExp(`^\\d{4}-${day}`));

const secrets = {
  order_name: 'Gift for Grandmother',
  customer_id: 'customer-4711',
  discount_code: 'HALFOFF',
  metadata: { note: 'told-by-metadata' },
};

test('a sale shows its state, rate, explanation, and sub-id, and its payout date with the reasons for that date', async () => {
  const id = await sell({ click_id: await merchant.click(`${linkUrl}?sub=newsletter`) });
  const sale = await saleOf(id);
  expect(sale).toMatchObject({
    state: 'pending',
    held: null,
    store_id: merchant.world.store.id,
    program_name: 'Friends of the shop',
    sub_id: 'newsletter',
    amount_cents: 1_001,
    eligible_cents: 10_005,
    rates: [{ product_id: null, of_cents: 10_005, basis_points: 1_000, amount_cents: 1_001 }],
  });
  expect(sale.explanation).toMatch(/^The order earns 10\.01 USD: 10% of 100\.05 USD is 10\.01 USD\. The refund hold ends on /);
  expect(sale.pay).toEqual({
    word: 'approval',
    at: on('05-15T06'),
    payout_id: null,
    steps: [
      { what: 'approved', at: null },
      { what: 'refund_hold_over', at: on('04-09T') },
      { what: 'billed', at: on('05-01T03') },
      { what: 'charged', at: on('05-04T00') },
      { what: 'paid_out', at: on('05-15T06') },
    ],
  });
});

/** As the portal asks in this language. */
async function explanationIn(language: string, id: string): Promise<string> {
  const headers = {
    ...(await sessionHeaders(merchant.service, { email: nora.email, password: nora.password })),
    'accept-language': language,
  };
  const response = await fetch(`${merchant.service.url}/api/v1/creators/${nora.id}/commissions/${id}`, { headers });
  const sale = (await response.json()) as { readonly explanation: string };
  return sale.explanation;
}

test('one sale is shown as in the list, also when it is on no loaded page; another creator’s is not found', async () => {
  const id = await sell(secrets);
  const { json, text } = await nora.ask('GET', `/creators/${nora.id}/commissions/${id}`);
  expect(json).toEqual(await saleOf(id));
  for (const secret of ['Grandmother', 'customer-4711', 'HALFOFF', 'told-by-metadata']) expect(text).not.toContain(secret);
  const otherOne = await cora('GET', `/creators/${merchant.world.creator.id}/commissions/${id}`);
  expect(otherOne.status).toBe(404);
});

test("no portal response has the merchant's data about the buyer, and a refund’s reason stays with the merchant", async () => {
  const order = await merchant.order({ click_id: await merchant.click(linkUrl), ...secrets });
  await merchant.convert(order);
  await merchant.reverse({ order_id: order.order_id, reason: 'reason-of-the-refund' });
  const [sale] = await sales('?state=reversed');
  expect(sale.explanation).toContain('The order was refunded or canceled, so its commission of 10.01 USD was reversed.');
  expect(sale.pay).toEqual({ word: 'nothing', at: null, steps: [], payout_id: null });
  const paths = [
    'commissions',
    'subscriptions',
    'links',
    'memberships',
    'balance',
    'payouts',
    `statement?period=${merchant.at().slice(0, 7)}`,
  ];
  const texts = await Promise.all(paths.map(async (path) => (await nora.ask('GET', `/creators/${nora.id}/${path}`)).text));
  for (const secret of ['Grandmother', 'customer-4711', 'HALFOFF', 'told-by-metadata', 'reason-of-the-refund'])
    expect(texts.join(' ')).not.toContain(secret);
});

test('a rejected sale shows the merchant’s reason, without the internal note', async () => {
  const id = await sell();
  await reviewerOf(merchant).results('reject', [id], { reason: 'The boots came back', note: 'reported by support' });
  const sale = await saleOf(id);
  expect(sale).toMatchObject({ state: 'rejected', rejected_reason: 'The boots came back', pay: { word: 'nothing' } });
  expect(sale.explanation).toMatch(/It was rejected, so it earns nothing\. The merchant’s reason: The boots came back$/);
  expect(JSON.stringify(sale)).not.toContain('reported by support');

  // In the language that the request accepts, and otherwise in English.
  const german = await explanationIn('de-AT,de;q=0.9', id);
  expect(german).toMatch(
    /^Die Bestellung bringt 10,01 USD ein: 10\u00a0% von 100,05 USD sind 10,01 USD\. Die Rückgabefrist endet am \d+\. \S+ \d{4}\. Die Provision /,
  );
  expect(german).toMatch(/ Grund des Händlers: The boots came back$/);
  expect(await explanationIn('ja', id)).toMatch(
    /^この注文の報酬は10\.01 USDです：100\.05 USDの10%で10\.01 USD。返品期間は\d{4}年\d+月\d+日に終了します。/,
  );
  expect(await explanationIn('nl', id)).toBe(sale.explanation);
});

test('a rejected sale that is refunded later shows no rejection; the decision is still stored', async () => {
  const { orderId, commissionId } = await reviewerOf(merchant).sale({ click_id: await merchant.click(linkUrl) });
  await reviewerOf(merchant).results('reject', [commissionId], { reason: 'The boots came back', note: 'reported by support' });
  expect((await merchant.reverse({ order_id: orderId })).json.reason).toBe('recorded');
  const sale = await saleOf(commissionId);
  expect(sale).toMatchObject({ state: 'reversed', rejected_reason: null });
  expect(sale.explanation).not.toContain('The boots came back');
  expect(await reviewerOf(merchant).history(commissionId)).toMatchObject([{ reason: 'The boots came back', note: 'reported by support' }]);
});

test('a sale on hold has no payout date, and shows the reason without the person', async () => {
  const id = await sell();
  await reviewerOf(merchant).results('hold', [id], { reason: 'fraud_review' });
  const sale = await saleOf(id);
  expect(sale.held).toEqual({ reason: 'fraud_review', since: expect.any(String) });
  expect(sale.pay).toMatchObject({ word: 'held', at: null, steps: [] });
});

test('a list is filtered by state, time, and store, and read page by page across stores', async () => {
  const other = otherMerchant(merchant);
  const { api, world } = merchant;
  const programs = await api('GET', `/stores/${other.world.store.id}/programs`);
  const program = programs.json.data[0].id;
  await api('POST', `/stores/${other.world.store.id}/programs/${program}/members`, { creator_id: nora.id });
  const link = await nora.ask('POST', `/creators/${nora.id}/links`, { program_id: program });
  await other.convert(await other.order({ click_id: await merchant.click(link.json.url) }));
  await sell();
  const all = await sales();
  expect(new Set(all.map(({ store_id: id }) => id))).toEqual(new Set([world.store.id, other.world.store.id]));
  expect(all.map(({ occurred_at: at }) => at)).toEqual(
    all
      .map(({ occurred_at: at }) => at)
      .toSorted()
      .toReversed(),
  );
  expect(await sales(`?store_id=${other.world.store.id}`)).toHaveLength(1);
  expect(await sales('?store_id=store_00000000000000000000000000')).toEqual([]);
  expect((await sales('?state=rejected')).map(({ state }) => state)).toEqual(['rejected']);

  const read: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { json }: { json: Json } = await nora.ask('GET', `/creators/${nora.id}/commissions?limit=2${cursor}`);
    read.push(...json.data.map(({ id }: Json) => id));
    cursor = json.next_cursor === null ? null : `&cursor=${json.next_cursor}`;
  }
  expect(read).toEqual(all.map(({ id }) => id));
});

test("a subscription shows its earnings, without the merchant's ids", async () => {
  const subscriber = subscriberOf(merchant, 'private-id-of-the-subscription');
  await subscriber.bind({ click_id: await merchant.click(linkUrl) });
  await subscriber.reportInvoice({ invoice_id: 'in_1' });
  const { json, text } = await nora.ask('GET', `/creators/${nora.id}/subscriptions`);
  expect(json.data).toEqual([
    expect.objectContaining({
      state: 'active',
      held: null,
      store_id: merchant.world.store.id,
      program_name: 'Friends of the shop',
      rule: { basis_points: 2_000, flat_cents: null, max_invoices: 12, max_months: null },
      paid_invoices: 1,
      earning_invoices: 1,
    }),
  ]);
  expect(json.data[0].earned_cents).toBeGreaterThan(0);
  for (const secret of ['private-id-of-the-subscription', 'price-monthly']) expect(text).not.toContain(secret);
});

const reads = ['memberships', 'links', 'commissions', 'subscriptions', 'tax-details', 'paid-years', 'notifications'];
const changes: ReadonlyArray<readonly [method: string, path: string, body: object]> = [
  ['POST', 'links', { program_id: '' }],
  ['PUT', 'tax-details', { country: 'DE', legal_name: 'N', tax_id: '12345' }],
  ['PUT', 'notifications', { paid: false }],
];

test('a stranger, another creator, and a merchant get the 404 of a creator that does not exist; no session is 401', async () => {
  const mara = await signIn(merchant.service, merchant.world.logins.merchant);
  const stranger = await createCreatorPerson(merchant.service, 'Sam Stranger');
  const nobodys = `${nora.id.slice(0, -6)}000000`;
  const requests = [...reads.map((path) => ['GET', path, undefined] as const), ...changes];
  for (const [method, path, body] of requests) {
    for (const client of [stranger.ask, cora, mara]) {
      const [theirs, none] = [
        await client(method, `/creators/${nora.id}/${path}`, body),
        await client(method, `/creators/${nobodys}/${path}`, body),
      ];
      expect([theirs.status, theirs.text], `${method} ${path}`).toEqual([404, none.text]);
    }
    expect((await anonymousClient(merchant.service)(method, `/creators/${nora.id}/${path}`, body)).status).toBe(401);
  }
});

test('each of two creators in one program sees only their own sales', async () => {
  const hers = await sell({}, merchant.world.link.url);
  expect(await saleOf(hers)).toBeUndefined();
  const { json } = await cora('GET', `/creators/${merchant.world.creator.id}/commissions`);
  expect(json.data.map(({ id }: Json) => id)).toEqual([hers]);
});
