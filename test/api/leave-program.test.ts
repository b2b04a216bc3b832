import { afterAll, expect, test } from 'vitest';
import { openMerchant, visitLink, type Json } from '../support/merchant.ts';
import { createCreatorPerson, joinProgram, emailsTo } from '../support/portal.ts';
import { reviewerOf } from '../support/review.ts';

const merchant = await openMerchant();
afterAll(() => merchant.service.stop());
const members = `/stores/${merchant.world.store.id}/programs/${merchant.world.program.id}/members`;

/** The click id that a visit through the link gets, or null. */
const clickFrom = async (code: string): Promise<string | null> =>
  new URL((await visitLink(merchant.service.url, code)).headers.get('location') ?? '').searchParams.get('rm_click');
const memberOf = async (id: string): Promise<Json> =>
  (await merchant.api('GET', `${members}?limit=200`)).json.data.find((one: Json) => one.id === id);

test('a creator leaves: earlier clicks earn, new visits get no click, pending commissions stay, and the store is notified', async () => {
  const nora = await createCreatorPerson(merchant.service, 'Nora Leaver');
  const { member, link } = await joinProgram(merchant, nora);
  const reviewer = reviewerOf(merchant);
  const pending = await reviewer.sale({ click_id: await merchant.click(link.url) });
  const click = await merchant.click(link.url);

  const left = await nora.ask('POST', `/creators/${nora.id}/memberships/${member}/leave`);
  expect(left).toMatchObject({ status: 200, json: { id: member, status: 'removed', left_at: expect.any(String) } });
  expect(await memberOf(member)).toMatchObject({ status: 'removed', left_at: left.json.left_at });
  const owner = merchant.world.logins.merchant.email;
  const mails = await emailsTo(merchant.service, owner);
  expect(mails[0]?.subject).toMatch(/: Nora Leaver left Friends of the shop$/);

  const late = await reviewer.sale({ click_id: click });
  expect(await reviewer.stateOf(late.commissionId)).toBe('pending');
  expect(await reviewer.stateOf(pending.commissionId)).toBe('pending');
  // The link cache refreshes within two seconds.
  await expect.poll(async () => clickFrom(link.code)).toBeNull();
  expect((await nora.ask('POST', `/creators/${nora.id}/links`, { program_id: merchant.world.program.id })).status).toBe(422);
});

test('leaving twice changes nothing; another creator’s membership is not found', async () => {
  const [nora, otto] = [await createCreatorPerson(merchant.service), await createCreatorPerson(merchant.service)];
  const { member } = await joinProgram(merchant, nora);
  const path = (creator: string) => `/creators/${creator}/memberships/${member}/leave`;
  expect((await otto.ask('POST', path(otto.id))).status).toBe(404);
  expect((await otto.ask('POST', path(nora.id))).status).toBe(404);
  const first = await nora.ask('POST', path(nora.id));
  const again = await nora.ask('POST', path(nora.id));
  expect([again.status, again.json]).toEqual([200, first.json]);
});

test('a creator who left applies again after 24 hours and keeps their links; the merchant cannot take them back before', async () => {
  const nora = await createCreatorPerson(merchant.service, 'Nora Again');
  const { member, link } = await joinProgram(merchant, nora);
  const apply = () => nora.ask('POST', `/programs/${merchant.world.program.id}/applications`, {});
  await nora.ask('POST', `/creators/${nora.id}/memberships/${member}/leave`);
  expect(await apply()).toMatchObject({ status: 409, json: { message: expect.stringContaining('24 hours') } });
  const taken = await merchant.api('PATCH', `${members}/${member}`, { status: 'approved' });
  expect(taken).toMatchObject({ status: 409, json: { message: expect.stringContaining('left') } });
  await merchant.moveClock('24h');
  expect(await apply()).toMatchObject({ status: 201, json: { id: member, status: 'applied', left_at: null } });
  expect((await merchant.api('PATCH', `${members}/${member}`, { status: 'approved' })).status).toBe(200);
  expect((await nora.ask('GET', `/creators/${nora.id}/links`)).json.data.map(({ code }: Json) => code)).toEqual([link.code]);
  await expect.poll(async () => clickFrom(link.code)).not.toBeNull();
});

test('a creator withdraws an application, and a creator removed by the merchant cannot make it look as if they left', async () => {
  const [nora, otto] = [await createCreatorPerson(merchant.service, 'Nora Withdrawn'), await createCreatorPerson(merchant.service)];
  const applied = (await nora.ask('POST', `/programs/${merchant.world.program.id}/applications`, {})).json;
  expect((await nora.ask('POST', `/creators/${nora.id}/memberships/${applied.id}/leave`)).json.status).toBe('removed');
  const [mail] = await emailsTo(merchant.service, merchant.world.logins.merchant.email);
  expect(mail?.subject).toMatch(/: Nora Withdrawn withdrew the application to /);
  const { member } = await joinProgram(merchant, otto);
  await merchant.api('PATCH', `${members}/${member}`, { status: 'removed' });
  const left = await otto.ask('POST', `/creators/${otto.id}/memberships/${member}/leave`);
  expect(left.json).toMatchObject({ status: 'removed', left_at: null });
  await merchant.moveClock('25h');
  expect((await otto.ask('POST', `/programs/${merchant.world.program.id}/applications`, {})).status).toBe(409);
});
