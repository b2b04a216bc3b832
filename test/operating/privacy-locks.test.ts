import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockOwners } from '../../src/people/team-sql.ts';
import { lockPerson, userByEmail } from '../../src/people/users-sql.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { must } from '../../src/platform/must.ts';
import { realNow } from '../../src/platform/time.ts';
import { erase, somebodyWith } from '../../src/privacy/person.ts';
import { openMerchant, type Merchant } from '../support/merchant.ts';
import { personIn } from '../support/portal.ts';

/** An erasure takes its locks in the order in which all others do: of two at once one waits, and none is thrown out. */
let merchant: Merchant;
beforeAll(async () => {
  merchant = await openMerchant();
});
afterAll(() => merchant.service.stop());

test('somebody who is erased while they are taken out of a team: the one waits for the other, and both come to their end', async () => {
  const { database, storeId } = merchant;
  const { email } = await personIn(merchant.service, 'Tilda Team');
  await database.run(sql`
    insert into store_roles (user_id, store_id, role, since)
    select user_id, ${storeId}, 'owner', created_at from users where email = ${email}`);
  const user = await userByEmail(database, email);
  must(user, 'whoever was made is there');
  const erasing: Array<Promise<unknown>> = [];
  await database.transaction(async (tx) => {
    await lockPerson(tx, user.userId);
    erasing.push(database.transaction((other) => erase(other, somebodyWith(user), { at: realNow(), isEvenIfOwed: false })));
    await pause(300);
    await lockOwners(tx, storeId);
  });
  expect(await Promise.all(erasing)).toEqual([null]);
});

test('two operators who erase themselves at one moment both go', async () => {
  const { database, service } = merchant;
  const people = [await personIn(service, 'Otto Operator'), await personIn(service, 'Olaf Operator')];
  await database.run(sql`update users set is_operator = true where email = any(${people.map(({ email }) => email)}::text[])`);
  const asked: Array<ReturnType<Merchant['api']>> = [];
  await database.transaction(async (tx) => {
    // The first in every order: until here both come.
    await tx.all(sql`select user_id from users where is_operator order by user_id limit 1 for no key update`);
    for (const { ask } of people) asked.push(ask('POST', '/profile/erase', {}));
    await pause(500);
  });
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([204, 204]);
});
