import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockOwners } from '../../src/people/team-sql.ts';
import { lockPerson, userByEmail } from '../../src/people/users-sql.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { publicId } from '../../src/platform/ids.ts';
import { must } from '../../src/platform/must.ts';
import { realNow } from '../../src/platform/time.ts';
import { erase, somebodyWith } from '../../src/privacy/person.ts';
import { openMerchant, type Json, type Merchant } from '../support/merchant.ts';
import { creatorIn, personIn } from '../support/portal.ts';

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
    erasing.push(
      database.transaction((other) =>
        erase(other, somebodyWith(user), { at: realNow(), isEvenIfOwed: false, platform: merchant.service.platform }),
      ),
    );
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

test('erasing oneself twice in one moment has one answer, and one entry in the audit log', async () => {
  const { database, service } = merchant;
  const nora = await creatorIn(service, 'Nora Twice');
  const userId = (await userByEmail(database, nora.email))?.userId;
  must(userId, 'whoever was made is there');
  const asked: Array<ReturnType<Merchant['api']>> = [];
  await database.transaction(async (tx) => {
    await lockPerson(tx, userId);
    for (let i = 0; i < 4; i += 1) asked.push(nora.ask('POST', '/profile/erase', {}));
    await pause(500);
  });
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([204, 204, 204, 204]);
  const log = (await merchant.api('GET', '/audit-log?limit=100')).json.data;
  const entries = log.filter(({ action, actor }: Json) => action === 'person.erased' && actor === publicId('user', userId));
  expect(entries).toHaveLength(1);
});

test('an operator who erases a person or a creator twice in one moment gets the same answer twice', async () => {
  const { database, service } = merchant;
  const olga = await creatorIn(service, 'Olga Twice');
  const alone = (await merchant.api('POST', '/creators', { name: 'Alone', email: 'alone@people.example' })).json.id;
  const user = await userByEmail(database, olga.email);
  must(user, 'whoever was made is there');
  const asked: Array<ReturnType<Merchant['api']>> = [];
  await database.transaction(async (tx) => {
    await lockPerson(tx, user.userId);
    for (let i = 0; i < 2; i += 1) asked.push(merchant.api('POST', `/people/${publicId('user', user.userId)}/erase`, {}));
    for (let i = 0; i < 2; i += 1) asked.push(merchant.api('POST', `/creators/${alone}/erase`, {}));
    await pause(500);
  });
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([204, 204, 204, 204]);
});

test('an export that begins while its person is erased says that the account is gone, and exports run side by side', async () => {
  const { database, service } = merchant;
  const nora = await creatorIn(service, 'Nora Export');
  const user = await userByEmail(database, nora.email);
  must(user, 'whoever was made is there');
  const both = await Promise.all([nora.ask('GET', '/profile/export'), nora.ask('GET', '/profile/export')]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  const asked: Array<ReturnType<Merchant['api']>> = [];
  await database.transaction(async (tx) => {
    await lockPerson(tx, user.userId);
    asked.push(nora.ask('GET', '/profile/export'), merchant.api('GET', `/people/${publicId('user', user.userId)}/export`));
    await pause(500);
    expect(await erase(tx, somebodyWith(user), { at: realNow(), isEvenIfOwed: false, platform: service.platform })).toBeNull();
  });
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([401, 404]);
});
