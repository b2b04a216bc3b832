import { afterAll, expect, test } from 'vitest';
import { expectSuccess } from '../support/billing.ts';
import { openMerchant, type Json } from '../support/merchant.ts';
import { createCreatorPerson, joinProgram, signIn, type ApiClient } from '../support/portal.ts';

const merchant = await openMerchant();
afterAll(() => merchant.service.stop());
const cora = await signIn(merchant.service, merchant.world.logins.creator);
const owner = await signIn(merchant.service, merchant.world.logins.merchant);
const nora = await createCreatorPerson(merchant.service, 'Nora Newcomer');
const noras = await joinProgram(merchant, nora);
const board = `/stores/${merchant.world.store.id}/programs/${merchant.world.program.id}/leaderboard`;

const boards = async (ask: ApiClient, creator: string): Promise<readonly Json[]> =>
  expectSuccess(await ask('GET', `/creators/${creator}/leaderboards`)).json.data;
const corasBoard = async (): Promise<Json> => (await boards(cora, merchant.world.creator.id))[0];
const norasBoard = async (): Promise<Json> => (await boards(nora.ask, nora.id))[0];
const appear = (ask: ApiClient, creator: string, member: string, name: string | null) =>
  ask('PUT', `/creators/${creator}/memberships/${member}/leaderboard`, { display_name: name });
const review = async (action: string, ids: readonly string[], more: object = {}) =>
  expectSuccess(await merchant.api('POST', `/stores/${merchant.world.store.id}/commissions/${action}`, { ids, ...more }));

async function sale(url?: string): Promise<string> {
  const order = await merchant.order(url === undefined ? {} : { click_id: await merchant.click(url) });
  return (await merchant.convert(order)).json.conversion_id;
}

test('a program has no leaderboard until its merchant switches it on, and then lists only members who chose to appear', async () => {
  const approved = [await sale(), await sale(), await sale(noras.link.url)];
  await review('approve', approved);
  await sale();
  expect(await boards(cora, merchant.world.creator.id)).toEqual([]);
  expect((await owner('GET', board)).json).toMatchObject({ is_on: false, entries: [] });
  expect((await owner('PUT', board, { is_on: true })).json).toMatchObject({ is_on: true, entries: [] });
  expect(await corasBoard()).toMatchObject({
    program_id: merchant.world.program.id,
    store_id: merchant.world.store.id,
    display_name: null,
    month: merchant.at().slice(0, 7),
    is_complete: true,
    own: { rank: 1, approved: 2 },
    entries: [],
  });
});

test('members who chose to appear are ranked by approved commissions, and everyone sees the own rank among them', async () => {
  expect((await appear(nora.ask, nora.id, noras.member, 'Nora N.')).status).toBe(204);
  expect(await corasBoard()).toMatchObject({
    display_name: null,
    own: { rank: 1, approved: 2 },
    entries: [{ rank: 1, name: 'Nora N.', approved: 1, is_own: false }],
  });
  const { member_id: corasMember } = await corasBoard();
  expectSuccess(await appear(cora, merchant.world.creator.id, corasMember, 'Coffee with Cora'));
  expect((await norasBoard()).own).toEqual({ rank: 2, approved: 1 });
  expect((await norasBoard()).entries).toEqual([
    { rank: 1, name: 'Coffee with Cora', approved: 2, is_own: false },
    { rank: 2, name: 'Nora N.', approved: 1, is_own: true },
  ]);
  expect((await owner('GET', board)).json.entries).toEqual([
    { rank: 1, name: 'Coffee with Cora', approved: 2, creator_id: merchant.world.creator.id, member_id: corasMember },
    { rank: 2, name: 'Nora N.', approved: 1, creator_id: nora.id, member_id: noras.member },
  ]);
  expectSuccess(await appear(cora, merchant.world.creator.id, corasMember, null));
  expect((await norasBoard()).own).toEqual({ rank: 1, approved: 1 });
});

test('equal counts have the same rank, and a commission that is rejected later no longer counts', async () => {
  const { member_id: corasMember } = await corasBoard();
  expectSuccess(await appear(cora, merchant.world.creator.id, corasMember, 'Cora'));
  const more = await sale(noras.link.url);
  await review('approve', [more]);
  expect((await norasBoard()).entries.map(({ rank, name }: Json) => [rank, name])).toEqual([
    [1, 'Cora'],
    [1, 'Nora N.'],
  ]);
  await review('reject', [more], { reason: 'own order' });
  expect((await norasBoard()).own).toEqual({ rank: 2, approved: 1 });
});

test.each(['https://evil.example', 'www.evil.example', 'evil.example/x', '', 'x'.repeat(61), 'a\u202eb'])(
  'a display name follows the rules for names: %j is rejected',
  async (name) => {
    const response = await appear(nora.ask, nora.id, noras.member, name);
    expect([response.status, response.json.errors[0].field]).toEqual([400, 'display_name']);
  },
);

test('two members of a program cannot have the same display name', async () => {
  const { member_id: corasMember } = await corasBoard();
  const response = await appear(cora, merchant.world.creator.id, corasMember, 'NORA n.');
  expect([response.status, response.json.errors[0].field]).toEqual([422, 'display_name']);
  expect((await appear(nora.ask, nora.id, noras.member, 'Nora N.')).status).toBe(204);
});

test('a merchant removes one display name, and its creator learns it, can choose another one, and not the same again', async () => {
  const path = `${board.replace('leaderboard', 'members')}/${noras.member}/remove-display-name`;
  const removed = expectSuccess(await owner('POST', path)).json;
  expect(removed.entries.map(({ name }: Json) => name)).toEqual(['Cora']);
  expect(await norasBoard()).toMatchObject({ display_name: null, removed: { name: 'Nora N.', at: expect.stringMatching(/Z$/) } });
  expect((await corasBoard()).entries.map(({ name }: Json) => name)).toEqual(['Cora']);
  expect((await owner('POST', path)).status).toBe(409);
  const same = await appear(nora.ask, nora.id, noras.member, 'nora n.');
  expect([same.status, same.json.errors[0].field]).toEqual([422, 'display_name']);
  expectSuccess(await appear(nora.ask, nora.id, noras.member, 'Nora N'));
  expect(await norasBoard()).toMatchObject({ display_name: 'Nora N', removed: null });
  expectSuccess(await appear(nora.ask, nora.id, noras.member, null));
  expect(await norasBoard()).toMatchObject({ display_name: null, removed: null });
  expect((await appear(nora.ask, nora.id, noras.member, 'Nora N.')).status).toBe(422);
  expectSuccess(await appear(nora.ask, nora.id, noras.member, 'Nora N'));
  expect((await nora.ask('POST', path)).status).toBe(404);
  expect((await owner('POST', path.replace(noras.member, noras.member.replace(/.{6}$/, '000000')))).status).toBe(404);
  const actions = (await merchant.api('GET', '/audit-log?limit=200')).json.data.map(({ action }: Json) => action);
  expect(actions).toContain('member.leaderboard_name_removed');
});

test('another creator’s membership and leaderboards, and another store’s program, are not found', async () => {
  expect((await appear(cora, merchant.world.creator.id, noras.member, 'Not me')).status).toBe(404);
  expect((await appear(cora, nora.id, noras.member, 'Not me')).status).toBe(404);
  expect((await cora('GET', `/creators/${nora.id}/leaderboards`)).status).toBe(404);
  const foreign = board.replace(merchant.world.store.id, merchant.world.other_store.id);
  expect((await merchant.api('GET', foreign)).status).toBe(404);
  expect((await merchant.api('PUT', foreign, { is_on: false })).status).toBe(404);
  expect((await nora.ask('PUT', board, { is_on: false })).status).toBe(404);
  expect((await norasBoard()).display_name).toBe('Nora N');
});

test('the audit log says who switched the leaderboard on and who chose to appear', async () => {
  const actions = (await merchant.api('GET', '/audit-log?limit=200')).json.data.map(({ action }: Json) => action);
  expect(actions).toEqual(expect.arrayContaining(['program.leaderboard', 'member.leaderboard']));
});

test('each month begins without entries', async () => {
  await merchant.moveClock('32d');
  expect(await norasBoard()).toMatchObject({ month: merchant.at().slice(0, 7), own: { rank: null, approved: 0 }, entries: [] });
});

test('leaderboards are paged by membership', async () => {
  const program = await merchant.api('POST', `/stores/${merchant.world.store.id}/programs`, {
    name: 'Second',
    landing_url: merchant.world.store.site_url ?? 'https://shop.example',
  });
  expectSuccess(program);
  const second = `/stores/${merchant.world.store.id}/programs/${program.json.id}`;
  expectSuccess(await merchant.api('POST', `${second}/members`, { creator_id: nora.id }));
  expectSuccess(await merchant.api('PUT', `${second}/leaderboard`, { is_on: true }));
  const first = (await nora.ask('GET', `/creators/${nora.id}/leaderboards?limit=1`)).json;
  expect(first.data.map(({ program_id: id }: Json) => id)).toEqual([program.json.id]);
  const rest = (await nora.ask('GET', `/creators/${nora.id}/leaderboards?limit=1&cursor=${first.next_cursor}`)).json;
  expect([rest.data[0].program_id, rest.next_cursor]).toEqual([merchant.world.program.id, null]);
});

test('the export contains the display name, and leaving the program or erasing the person removes it', async () => {
  const nameIn = async () => (await nora.ask('GET', `/creators/${nora.id}/export`)).json.creator.members.at(0).leaderboard_name;
  expect(await nameIn()).toBe('Nora N');
  expectSuccess(await nora.ask('POST', `/creators/${nora.id}/memberships/${noras.member}/leave`));
  expect(await nameIn()).toBeNull();
  expect((await appear(nora.ask, nora.id, noras.member, 'Nora N')).status).toBe(409);
  const ada = await createCreatorPerson(merchant.service, 'Ada Erased');
  const { member, link } = await joinProgram(merchant, ada);
  expectSuccess(await appear(ada.ask, ada.id, member, 'Ada E.'));
  await review('approve', [await sale(link.url)]);
  expect((await owner('GET', board)).json.entries).toMatchObject([{ name: 'Ada E.' }]);
  expect((await merchant.api('POST', `/creators/${ada.id}/erase`, { even_if_owed: true })).status).toBe(204);
  expect((await owner('GET', board)).text).not.toContain('Ada E.');
});
