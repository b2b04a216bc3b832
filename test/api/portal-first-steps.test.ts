import { expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { readPublicId } from '../../src/core/ids.ts';
import { openSharedMerchant, type Json } from '../support/merchant.ts';
import { createCreatorPerson } from '../support/portal.ts';

const merchant = await openSharedMerchant();

test('each first step is done when it has happened, in any order, and only for its own creator', async () => {
  const { world, api } = merchant;
  const [nora, ulla] = [await createCreatorPerson(merchant.service, 'Nora'), await createCreatorPerson(merchant.service, 'Ulla')];
  // The sandbox gives every creator a payout method.
  for (const { id } of [nora, ulla])
    await merchant.database.run(sql`delete from payout_methods where creator_id = ${readPublicId('crt', id)}`);
  const steps = async ({ ask, id }: typeof nora): Promise<Json> => (await ask('GET', `/creators/${id}/first-steps`)).json;
  const none = { payout_method: false, program: false, link: false, click: false, sale: false };
  expect(await steps(nora)).toEqual(none);

  const applied = await nora.ask('POST', `/programs/${world.program.id}/applications`, {});
  expect(await steps(nora)).toEqual(none);
  await api('PATCH', `/stores/${world.store.id}/programs/${world.program.id}/members/${applied.json.id}`, { status: 'approved' });
  expect(await steps(nora)).toEqual({ ...none, program: true });

  const link = await nora.ask('POST', `/creators/${nora.id}/links`, { program_id: world.program.id });
  expect(await steps(nora)).toEqual({ ...none, program: true, link: true });
  const clickId = await merchant.click(link.json.url);
  await expect.poll(() => steps(nora)).toEqual({ ...none, program: true, link: true, click: true });
  await merchant.convert(await merchant.order({ click_id: clickId }));
  expect(await steps(nora)).toEqual({ ...none, program: true, link: true, click: true, sale: true });

  await api('PUT', `/creators/${nora.id}/payout-method`, { sandbox: 'ok' });
  expect(await steps(nora)).toMatchObject({ payout_method: true });
  expect(await steps(ulla)).toEqual(none);
  expect((await ulla.ask('GET', `/creators/${nora.id}/first-steps`)).status).toBe(404);
});
