import { afterAll, expect, test } from 'vitest';
import { sendMessages } from '../../src/outreach/send-messages.ts';
import { openMerchantAlone, type Json } from '../support/merchant.ts';
import { createCreatorPerson, emailsTo, joinProgram, signIn, type SignedInCreator } from '../support/portal.ts';

// Without the queue: the tests run the job themselves.
const merchant = await openMerchantAlone();
afterAll(() => merchant.service.stop());
const owner = await signIn(merchant.service, merchant.world.logins.merchant);
const nora = await createCreatorPerson(merchant.service, 'Nora Newcomer');
await joinProgram(merchant, nora);

async function send(body: object): Promise<void> {
  const message = { subject: 'Spring sale', body: 'It **starts** today.', ...body };
  expect((await owner('POST', `/stores/${merchant.world.store.id}/creator-messages`, message)).status).toBe(201);
}
const received = async (creator: SignedInCreator, query = ''): Promise<readonly Json[]> =>
  (await creator.ask('GET', `/creators/${creator.id}/messages${query}`)).json.data;

test('a creator lists the messages they got, newest first, with the store and the program, and nothing of the author', async () => {
  await send({});
  expect(await received(nora)).toEqual([]);
  await sendMessages(merchant.service.platform);
  await send({ subject: 'For the program', program_id: merchant.world.program.id });
  await sendMessages(merchant.service.platform);
  const messages = await received(nora);
  expect(messages.map(({ subject, program_id: program }) => [subject, program])).toEqual([
    ['For the program', merchant.world.program.id],
    ['Spring sale', null],
  ]);
  expect(messages[1]).toEqual({
    id: expect.stringMatching(/^msg_/),
    at: expect.any(String),
    store_id: merchant.world.store.id,
    store_name: expect.stringMatching(/./),
    program_id: null,
    program_name: null,
    subject: 'Spring sale',
    body: 'It **starts** today.',
  });
  expect(messages[0].program_name).toMatch(/./);
});

test('a message is an unread notification that opens the messages of the portal', async () => {
  const [newest] = (await nora.ask('GET', '/profile/notifications')).json.data;
  expect(newest).toMatchObject({
    subject: expect.stringContaining('For the program'),
    text: 'It **starts** today.',
    path: '/creator/messages',
    read_at: null,
  });
});

test('pages of messages neither repeat nor skip one, and a store of others has none', async () => {
  const whole = await received(nora);
  const first = (await nora.ask('GET', `/creators/${nora.id}/messages?limit=1`)).json;
  const second = await received(nora, `?limit=1&cursor=${encodeURIComponent(first.next_cursor)}`);
  expect([...first.data, ...second]).toEqual(whole);
  expect(await received(nora, `?store_id=${merchant.world.store.id}`)).toEqual(whole);
  expect(await received(nora, '?store_id=store_none')).toEqual([]);
});

test('a message to one creator is not listed for other creators of the program or for a stranger', async () => {
  const stranger = await createCreatorPerson(merchant.service, 'Stella Stranger');
  const anna = await createCreatorPerson(merchant.service, 'Anna Allowed');
  await joinProgram(merchant, anna);
  await send({ subject: 'For Nora', creator_ids: [nora.id] });
  await sendMessages(merchant.service.platform);
  expect((await received(nora))[0].subject).toBe('For Nora');
  expect([await received(anna), await received(stranger)]).toEqual([[], []]);
  expect((await stranger.ask('GET', `/creators/${nora.id}/messages`)).status).toBe(404);
});

test('a creator who unsubscribed from a store gets none of its later messages in the portal', async () => {
  const ulla = await createCreatorPerson(merchant.service, 'Ulla Unsubscribed');
  await joinProgram(merchant, ulla);
  await send({ subject: 'Before', creator_ids: [ulla.id] });
  await sendMessages(merchant.service.platform);
  const [email] = await emailsTo(merchant.service, ulla.email);
  const path = /(\/unsubscribe\/\S+)/.exec(email?.text ?? '')?.[1] ?? '';
  expect((await fetch(`${merchant.service.url}${path}`, { method: 'POST' })).status).toBe(200);
  await send({ subject: 'Later', creator_ids: [ulla.id] });
  await sendMessages(merchant.service.platform);
  expect((await received(ulla)).map(({ subject }) => subject)).toEqual(['Before']);
});

test('a creator who left the program keeps the messages they got and gets no new one', async () => {
  const memberships: readonly Json[] = (await nora.ask('GET', `/creators/${nora.id}/memberships`)).json.data;
  const before = await received(nora);
  for (const { id } of memberships) await nora.ask('POST', `/creators/${nora.id}/memberships/${id}/leave`, {});
  await send({ subject: 'After' });
  await sendMessages(merchant.service.platform);
  expect(await received(nora)).toEqual(before);
});
