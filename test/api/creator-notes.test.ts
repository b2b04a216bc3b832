import { expect, test } from 'vitest';
import { addTeamMember } from '../support/isolation-world.ts';
import { openSharedMerchant } from '../support/merchant.ts';
import { createCreatorPerson, joinProgram, signIn } from '../support/portal.ts';

const merchant = await openSharedMerchant();
const path = `/stores/${merchant.world.store.id}/creators/${merchant.world.creator.id}/notes`;

test('the team writes, changes, and deletes notes about a creator, newest first, with their author', async () => {
  const owner = await signIn(merchant.service, merchant.world.logins.merchant);
  const first = (await owner('POST', path, { text: 'Sells well in May.\nAsk for a video.' })).json;
  const second = (await owner('POST', path, { text: 'Second' })).json;
  const list = async () => (await owner('GET', path)).json.data;
  expect(await list()).toMatchObject([
    { id: second.id, text: 'Second', edited_at: null },
    { id: first.id, text: 'Sells well in May.\nAsk for a video.', author: expect.stringMatching(/^user_/) },
  ]);
  const changed = await owner('PATCH', `${path}/${second.id}`, { text: 'Changed' });
  expect([changed.status, changed.json.text, changed.json.edited_at]).toEqual([200, 'Changed', expect.any(String)]);
  expect((await owner('DELETE', `${path}/${first.id}`)).status).toBe(204);
  expect((await list()).map(({ text }: { text: string }) => text)).toEqual(['Changed']);
  for (const text of ['', 'x'.repeat(2_001)]) expect((await owner('POST', path, { text })).status).toBe(400);
});

test('a viewer of the store reads notes and cannot write them; the creator and other stores see none', async () => {
  const viewer = await addTeamMember(merchant, 'viewer');
  expect((await viewer('GET', path)).status).toBe(200);
  expect((await viewer('POST', path, { text: 'No' })).json.reason).toBe('permission_missing');
  const creator = await signIn(merchant.service, merchant.world.logins.creator);
  expect((await creator('GET', path)).status).toBe(404);
  expect((await creator('GET', '/profile/export')).text).not.toContain('Changed');
  const other = `/stores/${merchant.world.other_store.id}/creators/${merchant.world.creator.id}/notes`;
  expect((await merchant.api('GET', other)).text).not.toContain('Changed');
});

test('notes end with the erasure of the creator, and the name of an erased author is removed from them', async () => {
  const nora = await createCreatorPerson(merchant.service, 'Nora Newcomer');
  await joinProgram(merchant, nora);
  const marketer = await addTeamMember(merchant, 'marketer');
  const own = `/stores/${merchant.world.store.id}/creators/${nora.id}/notes`;
  expect((await marketer('POST', own, { text: 'About Nora' })).status).toBe(201);
  expect((await marketer('POST', path, { text: 'By the marketer' })).status).toBe(201);
  expect((await merchant.api('POST', `/creators/${nora.id}/erase`, {})).status).toBe(204);
  expect((await merchant.api('GET', own)).json.data).toEqual([]);
  expect((await marketer('POST', '/profile/erase', {})).status).toBe(204);
  const left = (await merchant.api('GET', path)).json.data.find(({ text }: { text: string }) => text === 'By the marketer');
  expect(left.author_name).toBe('erased');
});
