import { afterAll, expect, test } from 'vitest';
import { lockOwners } from '../../src/people/team-sql.ts';
import { lockUserIfPresent, findUserByEmail } from '../../src/people/users-sql.ts';
import { sql, texts } from '../../src/db/sql.ts';
import { publicId } from '../../src/core/ids.ts';
import { invariant } from '../../src/core/invariant.ts';
import { realNow } from '../../src/core/time.ts';
import { erasePersonData, dataSubjectOf } from '../../src/privacy/person-data.ts';
import { untilLockWaits } from '../support/lock-waits.ts';
import { openMerchant, type Json, type Merchant } from '../support/merchant.ts';
import { createCreatorPerson, createPerson } from '../support/portal.ts';

/** An erasure takes its locks in the common order: of two concurrent ones, one waits, and neither is aborted. */
const merchant = await openMerchant();
afterAll(() => merchant.service.stop());

test('an erasure and a concurrent removal from a team wait for each other, and both finish', async () => {
  const { database, storeId } = merchant;
  const { email } = await createPerson(merchant.service, 'Tilda Team');
  await database.run(sql`
    insert into store_roles (user_id, store_id, role, since)
    select user_id, ${storeId}, 'owner', created_at from users where email = ${email}`);
  const user = await findUserByEmail(database, email);
  invariant(user, 'the created user exists');
  const erasing: Array<Promise<unknown>> = [];
  await database.transaction(async (tx) => {
    await lockUserIfPresent(tx, user.userId);
    erasing.push(
      database.transaction((other) =>
        erasePersonData(other, dataSubjectOf(user), { at: realNow(), isEvenIfOwed: false, platform: merchant.service.platform }),
      ),
    );
    await untilLockWaits(database, 1);
    await lockOwners(tx, storeId);
  });
  expect(await Promise.all(erasing)).toEqual([null]);
});

test('two operators who erase themselves concurrently are both erased', async () => {
  const { database, service } = merchant;
  const people = [await createPerson(service, 'Otto Operator'), await createPerson(service, 'Olaf Operator')];
  await database.run(sql`update users set is_operator = true where email = any(${texts(people.map(({ email }) => email))})`);
  const responses: Array<ReturnType<Merchant['api']>> = [];
  await database.transaction(async (tx) => {
    // Blocks the first row in lock order, until both transactions wait for it.
    await tx.all(sql`select user_id from users where is_operator order by user_id limit 1 for no key update`);
    for (const { ask } of people) responses.push(ask('POST', '/profile/erase', {}));
    await untilLockWaits(database, people.length);
  });
  expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([204, 204]);
});

test('two concurrent requests to erase oneself get one answer, and write one entry in the audit log', async () => {
  const { database, service } = merchant;
  const nora = await createCreatorPerson(service, 'Nora Twice');
  const userId = (await findUserByEmail(database, nora.email))?.userId;
  invariant(userId, 'the created user exists');
  const responses: Array<ReturnType<Merchant['api']>> = [];
  await database.transaction(async (tx) => {
    await lockUserIfPresent(tx, userId);
    for (let i = 0; i < 4; i += 1) responses.push(nora.ask('POST', '/profile/erase', {}));
    await untilLockWaits(database, responses.length);
  });
  expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([204, 204, 204, 204]);
  const log = (await merchant.api('GET', '/audit-log?limit=100')).json.data;
  const entries = log.filter(({ action, actor }: Json) => action === 'person.erased' && actor === publicId('user', userId));
  expect(entries).toHaveLength(1);
});

test('two concurrent requests of an operator to erase a person or creator get the same answer', async () => {
  const { database, service } = merchant;
  const olga = await createCreatorPerson(service, 'Olga Twice');
  const alone = (await merchant.api('POST', '/creators', { name: 'Alone', email: 'alone@people.example' })).json.id;
  const user = await findUserByEmail(database, olga.email);
  invariant(user, 'the created user exists');
  const responses: Array<ReturnType<Merchant['api']>> = [];
  await database.transaction(async (tx) => {
    await lockUserIfPresent(tx, user.userId);
    for (let i = 0; i < 2; i += 1) responses.push(merchant.api('POST', `/people/${publicId('user', user.userId)}/erase`, {}));
    for (let i = 0; i < 2; i += 1) responses.push(merchant.api('POST', `/creators/${alone}/erase`, {}));
    // The two of the person; nothing blocks those of the creator but each other.
    await untilLockWaits(database, 2);
  });
  expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([204, 204, 204, 204]);
});

test('an export that starts during the erasure of its person says that the account is gone, and exports run in parallel', async () => {
  const { database, service } = merchant;
  const nora = await createCreatorPerson(service, 'Nora Export');
  const user = await findUserByEmail(database, nora.email);
  invariant(user, 'the created user exists');
  const both = await Promise.all([nora.ask('GET', '/profile/export'), nora.ask('GET', '/profile/export')]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  const responses: Array<ReturnType<Merchant['api']>> = [];
  await database.transaction(async (tx) => {
    await lockUserIfPresent(tx, user.userId);
    responses.push(nora.ask('GET', '/profile/export'), merchant.api('GET', `/people/${publicId('user', user.userId)}/export`));
    await untilLockWaits(database, responses.length);
    expect(await erasePersonData(tx, dataSubjectOf(user), { at: realNow(), isEvenIfOwed: false, platform: service.platform })).toBeNull();
  });
  expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([401, 404]);
});
