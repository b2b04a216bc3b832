import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectSuccess } from '../support/billing.ts';
import { openMerchant, type Json, type Merchant } from '../support/merchant.ts';

let merchant: Merchant;
let store: string;
let program: string;
beforeAll(async () => {
  merchant = await openMerchant();
  store = `/stores/${merchant.world.store.id}`;
  program = `${store}/programs/${merchant.world.program.id}`;
});
afterAll(() => merchant.service.stop());

const send = async (method: string, path: string, body?: object): Promise<Json> =>
  expectSuccess(await merchant.api(method, path, body)).json;
const newestOf = async (path: string): Promise<Json> => (await send('GET', `${path}?limit=1`)).data[0];

const theStore = () => ({ type: 'store', id: merchant.world.store.id, name: expect.any(String) });
const theProgram = () => ({ type: 'program', id: merchant.world.program.id, name: 'Friends of the shop' });
const theCreator = () => ({ type: 'creator', id: merchant.world.creator.id, name: 'Cora Creator' });

test('an entry names the objects of its path and its input, in the log of the store and of the installation', async () => {
  await send('POST', `${program}/links`, { creator_id: merchant.world.creator.id });
  const objects = [theStore(), theProgram(), theCreator()];
  expect(await newestOf(`${store}/audit-log`)).toMatchObject({ action: 'link.create', objects });
  expect(await newestOf('/audit-log')).toMatchObject({ action: 'link.create', objects });
});

test('a membership is shown as its creator, a group by its name, and a commission by its order', async () => {
  const group = await send('POST', `${program}/groups`, { name: 'Podcasts' });
  const [member] = (await send('GET', `${program}/members`)).data;
  await send('PUT', `${program}/members/${member.id}/group`, { group_id: group.id });
  expect(await newestOf(`${store}/audit-log`)).toMatchObject({
    objects: [theStore(), theProgram(), theCreator(), { type: 'group', id: group.id, name: 'Podcasts' }],
  });
  const order = await merchant.order();
  await merchant.convert(order);
  const [commission] = (await send('GET', `${store}/commissions?order_id=${order.order_id}`)).data;
  await send('POST', `${store}/commissions/approve`, { ids: [commission.id] });
  expect(await newestOf(`${store}/audit-log`)).toMatchObject({
    objects: [theStore(), { type: 'commission', id: commission.id, name: order.order_id }],
  });
});

test('names are the present ones, also in earlier entries', async () => {
  const group = await send('POST', `${program}/groups`, { name: 'Videos' });
  await send('PATCH', `${program}/groups/${group.id}`, { name: 'Films' });
  const { data: entries } = await send('GET', `${store}/audit-log?limit=2`);
  const objects = [theStore(), theProgram(), { type: 'group', id: group.id, name: 'Films' }];
  expect(entries).toMatchObject([
    { action: 'group.rename', objects },
    { action: 'group.create', objects },
  ]);
});

test('the ID of an object of others in a text of a request names nothing', async () => {
  const other = merchant.world.other_store.id;
  const users = (await send('GET', `${store}/team`)).data.map(({ user_id: id }: Json) => id);
  for (const name of [other, merchant.world.creator.id, ...users]) {
    await send('PATCH', program, { name });
    const { objects } = await newestOf(`${store}/audit-log`);
    expect(objects).toEqual([theStore(), { ...theProgram(), name }]);
  }
  await send('PATCH', program, { name: 'Friends of the shop' });
});

test('the history of a creator names the objects as the audit log does', async () => {
  await send('POST', `${store}/creators/${merchant.world.creator.id}/notes`, { text: 'Agreed on 12% in May.' });
  const [entry] = (await send('GET', `${store}/creators/${merchant.world.creator.id}/history?limit=1`)).data;
  expect(entry).toMatchObject({ action: 'creator_note.add', objects: [theStore(), theCreator()] });
});
