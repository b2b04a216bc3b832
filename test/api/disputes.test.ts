import { afterAll, expect, test } from 'vitest';
import { merchantIn, openMerchant, type Json, type Merchant } from '../support/merchant.ts';
import { emailsTo, signIn } from '../support/portal.ts';

const first = await openMerchant();
afterAll(() => first.service.stop());

type Rejected = Readonly<Record<'commission' | 'order' | 'store' | 'creator', string>> & { readonly merchant: Merchant };

async function rejected(): Promise<Rejected> {
  const merchant = merchantIn(first.service, await first.service.seed());
  const order = await merchant.order({ order_subtotal_cents: 20_000 });
  const { json } = await merchant.convert(order);
  const store = `/stores/${merchant.world.store.id}`;
  await merchant.api('POST', `${store}/commissions/reject`, { ids: [json.conversion_id], reason: 'looks like an own order' });
  return { merchant, commission: json.conversion_id, order: order.order_id, store, creator: `/creators/${merchant.world.creator.id}` };
}

const open = ({ merchant, commission, creator }: Rejected, text = 'A friend of mine bought it.') =>
  merchant.api('POST', `${creator}/disputes`, { store_id: merchant.world.store.id, commission_id: commission, text });
const stateOf = async ({ merchant, store, commission }: Rejected): Promise<string> =>
  (await merchant.api('GET', `${store}/commissions/${commission}`)).json.state;
const mailsOf = async ({ merchant }: Rejected): Promise<readonly string[]> =>
  (await merchant.api('GET', '/mails?limit=50')).json.data.map(({ subject }: Json) => subject);

test('a creator opens a dispute and the store accepts it: the commission and its money are pending again', async () => {
  const it = await rejected();
  const opened = await open(it);
  expect(opened).toMatchObject({ status: 201, json: { state: 'open', text: 'A friend of mine bought it.', note: null } });
  expect((await it.merchant.api('GET', `${it.store}/disputes?state=open`)).json.data).toEqual([opened.json]);
  expect((await mailsOf(it)).some((subject) => subject.includes('disputes a rejection'))).toBe(true);
  const openOnes = async () => (await it.merchant.api('GET', `${it.store}/overview`)).json.waiting.open_disputes;
  expect(await openOnes()).toBe(1);

  const accepted = await it.merchant.api('POST', `${it.store}/disputes/${opened.json.id}/accept`, { note: 'Sorry!' });
  expect(accepted.json).toMatchObject({ state: 'accepted', note: 'Sorry!' });
  expect(await openOnes()).toBe(0);
  expect(await stateOf(it)).toBe('pending');
  expect((await it.merchant.api('POST', '/ledger/verify')).json).toMatchObject({ ok: true });
  expect((await it.merchant.api('GET', `${it.creator}/disputes?store_id=${it.merchant.world.store.id}`)).json.data).toMatchObject([
    { state: 'accepted', decided_by_name: null },
  ]);
});

test('notifies the creator of the current state when an accepted dispute has nothing left to reopen', async () => {
  const [refunded, approved] = [await rejected(), await rejected()];
  const disputes = [(await open(refunded)).json, (await open(approved)).json];
  expect((await refunded.merchant.reverse({ order_id: refunded.order, reason: 'refunded' })).status).toBe(200);
  await approved.merchant.api('POST', `${approved.store}/commissions/approve`, { ids: [approved.commission] });
  expect([await stateOf(refunded), await stateOf(approved)]).toEqual(['reversed', 'approved']);
  const emails: string[] = [];
  for (const [place, it] of [refunded, approved].entries()) {
    const accepted = await it.merchant.api('POST', `${it.store}/disputes/${disputes[place].id}/accept`, { note: 'Sorry!' });
    expect(accepted).toMatchObject({ status: 200, json: { state: 'accepted' } });
    const mails = await emailsTo(it.merchant.service, it.merchant.world.logins.creator.email);
    emails.push(mails.find(({ subject }) => subject.includes('answered your dispute'))?.text ?? '');
  }
  expect(emails[0]).toContain('accepted your dispute, but the sale has since been refunded, so there is nothing to pay');
  expect(emails[1]).toContain('accepted your dispute. The commission has already been approved');
});

test('a declined dispute keeps the rejection and shows the creator the reason; a dispute is decided only once', async () => {
  const it = await rejected();
  const { json } = await open(it);
  expect((await it.merchant.api('POST', `${it.store}/disputes/${json.id}/decline`, {})).status).toBe(400);
  await it.merchant.api('POST', `${it.store}/disputes/${json.id}/decline`, { note: 'Same address.' });
  expect(await stateOf(it)).toBe('rejected');
  expect((await it.merchant.api('POST', `${it.store}/disputes/${json.id}/accept`, {})).status).toBe(409);
  expect(await stateOf(it)).toBe('rejected');
});

test('allows one open dispute even when ten are opened concurrently, and none after three decisions', async () => {
  const it = await rejected();
  const answers = await Promise.all(Array.from({ length: 10 }, () => open(it)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
  for (let round = 0; round < 3; round++) {
    const { json } = await it.merchant.api('GET', `${it.store}/disputes?state=open`);
    await it.merchant.api('POST', `${it.store}/disputes/${json.data[0].id}/decline`, { note: 'No.' });
    if (round < 2) expect((await open(it)).status).toBe(201);
  }
  expect(await open(it)).toMatchObject({ status: 422, json: { reason: 'limit_reached' } });
});

test('a creator can dispute only the rejection of their own commission; anything else is not found', async () => {
  const it = await rejected();
  const other = await rejected();
  const foreign = { store_id: it.merchant.world.store.id, commission_id: it.commission, text: 'Mine!' };
  expect((await it.merchant.api('POST', `${other.creator}/disputes`, foreign)).status).toBe(404);
  expect((await it.merchant.api('POST', `${it.creator}/disputes`, { ...foreign, commission_id: other.commission })).status).toBe(404);
  expect((await it.merchant.api('POST', `${it.creator}/disputes`, { ...foreign, text: '' })).status).toBe(400);
  await it.merchant.api('POST', `${it.store}/commissions/approve`, { ids: [it.commission] });
  expect(await open(it)).toMatchObject({ status: 422, json: { reason: 'unprocessable' } });
  const { json } = await open(other);
  expect((await it.merchant.api('POST', `${it.store}/disputes/${json.id}/accept`, {})).status).toBe(404);
});

test('only an operator reads the disputes of all stores, newest first, page by page and by state', async () => {
  const [one, other] = [await rejected(), await rejected()];
  const [earlier, later] = [(await open(one)).json, (await open(other)).json];
  await one.merchant.api('POST', `${one.store}/disputes/${earlier.id}/decline`, { note: 'No.' });
  const { api } = one.merchant;
  const all = (await api('GET', '/disputes?limit=200')).json.data;
  expect(all.slice(0, 2)).toMatchObject([
    { id: later.id, store_id: other.merchant.world.store.id, state: 'open', text: 'A friend of mine bought it.' },
    { id: earlier.id, store_id: one.merchant.world.store.id, state: 'declined', note: 'No.' },
  ]);
  const openOnes = (await api('GET', '/disputes?state=open&limit=200')).json.data;
  expect(openOnes).toEqual(all.filter(({ state }: Json) => state === 'open'));
  expect((await api('GET', '/overview')).json.open_disputes).toBe(openOnes.length);
  const paged: Json[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { json }: { readonly json: Json } = await api('GET', `/disputes?limit=2${cursor && `&cursor=${cursor}`}`);
    paged.push(...json.data);
    cursor = json.next_cursor;
  }
  expect(paged).toEqual(all);
  const owner = await signIn(one.merchant.service, one.merchant.world.logins.merchant);
  expect(await owner('GET', '/disputes')).toMatchObject({ status: 403, json: { reason: 'operator_only' } });
});
