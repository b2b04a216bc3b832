import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { sendMessages } from '../../src/outreach/send-messages.ts';
import { openMerchantAlone, type ApiResponse, type Json } from '../support/merchant.ts';
import { createCreatorPerson, emailsTo, joinProgram, signIn } from '../support/portal.ts';

// Without the queue: the tests run the job themselves.
const merchant = await openMerchantAlone();
afterAll(() => merchant.service.stop());
const owner = await signIn(merchant.service, merchant.world.logins.merchant);
const path = `/stores/${merchant.world.store.id}/creator-messages`;
const nora = await createCreatorPerson(merchant.service, 'Nora Newcomer');
await joinProgram(merchant, nora);

const send = (body: object): Promise<ApiResponse> => owner('POST', path, { subject: 'Spring sale', body: 'It **starts** today.', ...body });
const run = () => sendMessages(merchant.service.platform);
const listed = async (): Promise<readonly Json[]> => (await owner('GET', path)).json.data;
const unsubscribePath = (text = '') => /(\/unsubscribe\/\S+)/.exec(text)?.[1] ?? '';

test('a message goes once to each approved creator of the store, with the words of the merchant and a link to unsubscribe', async () => {
  const applicant = await createCreatorPerson(merchant.service, 'Anna Applied');
  await applicant.ask('POST', `/programs/${merchant.world.program.id}/applications`, {});
  const sent = await send({});
  expect([sent.status, sent.json.recipients]).toEqual([201, { total: 2, waiting: 2, sent: 0, unsubscribed: 0 }]);
  await Promise.all([run(), run()]);
  expect((await listed())[0]).toMatchObject({ subject: 'Spring sale', sent_at: expect.any(String), recipients: { sent: 2, waiting: 0 } });
  for (const email of [nora.email, merchant.world.logins.creator.email]) {
    const mine = (await emailsTo(merchant.service, email)).filter(({ subject }) => subject.startsWith('Spring sale'));
    expect(mine).toHaveLength(1);
    expect(mine[0]?.text).toContain('It **starts** today.');
    expect(unsubscribePath(mine[0]?.text)).not.toBe('');
  }
  expect((await emailsTo(merchant.service, applicant.email)).some(({ subject }) => subject.startsWith('Spring sale'))).toBe(false);
});

test('one click unsubscribes from this store only, and a changed link does nothing', async () => {
  const link = unsubscribePath((await emailsTo(merchant.service, nora.email))[0]?.text);
  const at = (of: string) => `${merchant.service.url}${of}`;
  const page = await fetch(at(link));
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<form method="post">')]);
  expect((await fetch(at(`${link.slice(0, -6)}AAAAAA`), { method: 'POST' })).status).toBe(404);
  const clicked = await fetch(at(link), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
  expect(clicked.status).toBe(200);
  expect((await fetch(at(link), { method: 'POST' })).status).toBe(200);
  await send({ subject: 'Second', program_id: merchant.world.program.id });
  await run();
  expect((await listed())[0].recipients).toEqual({ total: 2, waiting: 0, sent: 1, unsubscribed: 1 });
  expect((await emailsTo(merchant.service, nora.email)).some(({ subject }) => subject.startsWith('Second'))).toBe(false);
  expect((await nora.ask('GET', `/creators/${nora.id}/export`)).json.creator.creator_unsubscribes).toMatchObject([
    { store_id: merchant.world.store.id },
  ]);
});

test('a message to a selection goes to these creators only, and creators of other stores are never among them', async () => {
  const cora = merchant.world.creator.id;
  const stranger = await createCreatorPerson(merchant.service, 'Stella Stranger');
  const { json } = await send({ subject: 'For Cora', creator_ids: [cora, stranger.id] });
  expect(json.recipients.total).toBe(1);
  await run();
  expect((await emailsTo(merchant.service, merchant.world.logins.creator.email))[0]?.subject).toContain('For Cora');
  expect((await send({ creator_ids: [stranger.id] })).json.reason).toBe('unprocessable');
  expect((await send({ program_id: 'prog_none' })).status).toBe(404);
});

test('a store sends ten messages in 24 hours at most, and the erasure of a creator ends their choice', async () => {
  for (let count = (await listed()).length; count < 10; count += 1) expect((await send({})).status).toBe(201);
  expect((await send({})).json.reason).toBe('limit_reached');
  expect((await merchant.api('POST', `/creators/${nora.id}/erase`, {})).status).toBe(204);
  expect(await merchant.database.all(sql`select 1 from creator_unsubscribes`)).toEqual([]);
});
