import { generate } from 'otplib';
import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { invariant } from '../../src/core/invariant.ts';
import { dayMs, minuteMs } from '../../src/core/time.ts';
import { openMerchant, type Json } from '../support/merchant.ts';
import { createCreatorPerson, emailsTo, anonymousClient, createPerson, signIn, type SignedInPerson } from '../support/portal.ts';
import { movedBy } from '../support/rows.ts';

const merchant = await openMerchant();
afterAll(() => merchant.service.stop());

let count = 0;
const freshAddress = (): string => `moved-${(count += 1)}-${merchant.world.store.id.slice(-6)}@people.example`;
async function tokenTo(email: string): Promise<string> {
  for (const { text } of await emailsTo(merchant.service, email)) {
    const token = /\/link\?for=email#([A-Za-z0-9_-]{43})/.exec(text)?.[1];
    if (token !== undefined) return token;
  }
  invariant(false, `a link was emailed to ${email}`);
}

test("a person confirms a new address in their session: other sessions end, and the creator's address follows", async () => {
  const nora = await createCreatorPerson(merchant.service);
  const other = await signIn(merchant.service, { email: nora.email, password: nora.password });
  const email = freshAddress();
  expect(await nora.ask('POST', '/profile/email', { email })).toMatchObject({ status: 200, json: { pending: { email } } });
  expect((await nora.ask('GET', '/session')).json.email).toBe(nora.email);
  const token = await tokenTo(email);
  expect((await anonymousClient(merchant.service)('POST', '/email-changes/confirm', { token })).status).toBe(401);
  const stranger = await createPerson(merchant.service);
  expect((await stranger.ask('POST', '/email-changes/confirm', { token })).status).toBe(409);
  expect((await nora.ask('POST', '/email-changes/confirm', { token })).json.email).toBe(email);
  expect((await nora.ask('GET', `/creators/${nora.id}`)).json.email).toBe(email);
  expect((await other('GET', '/sessions')).status).toBe(401);
  expect((await nora.ask('POST', '/email-changes/confirm', { token })).status).not.toBe(200);
  await signIn(merchant.service, { email, password: nora.password });
  expect((await emailsTo(merchant.service, nora.email))[0]?.subject).toBe('Your email address was changed');
});

test('the former address can undo the change: the address returns, sessions and new keys end, and the password stops working', async () => {
  const nora = await createCreatorPerson(merchant.service);
  const email = freshAddress();
  await nora.ask('POST', '/profile/email', { email });
  await nora.ask('POST', '/email-changes/confirm', { token: await tokenTo(email) });
  const made = await nora.ask('POST', `/creators/${nora.id}/api-keys`, { name: 'thief', scopes: ['creator:read'] });
  expect(made.status, made.text).toBe(201);
  const second = freshAddress();
  await nora.ask('POST', '/profile/email', { email: second });
  await nora.ask('POST', '/email-changes/confirm', { token: await tokenTo(second) });

  const token = await tokenTo(nora.email);
  const anonymous = anonymousClient(merchant.service);
  expect((await anonymous('POST', '/email-changes/read', { token })).json).toMatchObject({ does: 'undo', former_email: nora.email });
  expect((await anonymous('POST', '/email-changes/undo', { token })).json).toEqual({ email: nora.email });
  expect((await nora.ask('GET', '/sessions')).status).toBe(401);
  expect((await anonymous('POST', '/session', { email: nora.email, password: nora.password })).status).toBe(401);
  expect((await anonymous('POST', '/email-changes/undo', { token: await tokenTo(email) })).status).not.toBe(200);
  expect((await merchant.api('GET', `/creators/${nora.id}`)).json.email).toBe(nora.email);
  expect((await merchant.api('GET', `/creators/${nora.id}/api-keys`)).json.data).toEqual([]);
  expect((await emailsTo(merchant.service, nora.email))[0]?.subject).toBe('Reset your Tributary password');
  const log = (await merchant.api('GET', '/audit-log?limit=50')).json.data;
  const actions = log.map(({ action }: Json) => action);
  expect(actions).toEqual(expect.arrayContaining(['email.change_asked', 'email.changed', 'email.change_undone', 'api_key.revoked']));
});

test('an address of another account cannot be taken, and the response does not reveal that it exists', async () => {
  const [nora, otto] = [await createPerson(merchant.service), await createPerson(merchant.service)];
  expect((await nora.ask('POST', '/profile/email', { email: otto.email })).status).toBe(200);
  const [mail] = await emailsTo(merchant.service, otto.email);
  expect(mail?.subject).toBe('This address already has a Tributary account');
  expect(mail?.text).not.toContain('/link');
  expect((await nora.ask('POST', '/profile/email', { email: nora.email })).status).toBe(400);
});

test('only the newest link works, and not after a cancellation; an erasure removes the former address from emails and log', async () => {
  const nora = await createPerson(merchant.service);
  const [first, second] = [freshAddress(), freshAddress()];
  await nora.ask('POST', '/profile/email', { email: first });
  await nora.ask('POST', '/profile/email', { email: second });
  expect((await nora.ask('POST', '/email-changes/confirm', { token: await tokenTo(first) })).status).not.toBe(200);
  expect((await nora.ask('DELETE', '/profile/email')).status).toBe(204);
  expect((await nora.ask('GET', '/profile/email')).json).toEqual({ pending: null });
  expect((await nora.ask('POST', '/email-changes/confirm', { token: await tokenTo(second) })).status).not.toBe(200);
  const third = freshAddress();
  await nora.ask('POST', '/profile/email', { email: third });
  await nora.ask('POST', '/email-changes/confirm', { token: await tokenTo(third) });
  expect((await nora.ask('POST', '/profile/erase', {})).status).toBe(204);
  for (const email of [nora.email, third]) {
    expect(await emailsTo(merchant.service, email)).toEqual([]);
    expect(JSON.stringify((await merchant.api('GET', '/audit-log?limit=200')).json)).not.toContain(email);
  }
});

test('undoing a change removes a second factor that a thief added or replaced, and keeps an older one', async () => {
  const turnOn = async ({ ask }: SignedInPerson) => {
    const { secret } = (await ask('POST', '/second-factor')).json;
    expect((await ask('POST', '/second-factor/confirm', { code: await generate({ secret }) })).status).toBe(200);
  };
  const changeAndUndo = async (person: SignedInPerson) => {
    const email = freshAddress();
    await person.ask('POST', '/profile/email', { email });
    expect((await person.ask('POST', '/email-changes/confirm', { token: await tokenTo(email) })).status).toBe(200);
    expect((await anonymousClient(merchant.service)('POST', '/email-changes/undo', { token: await tokenTo(person.email) })).status).toBe(
      200,
    );
    const [mail] = await emailsTo(merchant.service, person.email);
    const token = /#([A-Za-z0-9_-]{43})/.exec(mail?.text ?? '')?.[1];
    return anonymousClient(merchant.service)('POST', '/one-time-links/use', { token, password: 'another long and good one' });
  };
  const age = (person: SignedInPerson) =>
    merchant.service.platform.database.run(sql`
      update users set totp_confirmed_at = ${movedBy(sql`totp_confirmed_at`, -30 * dayMs)} where email = ${person.email}`);

  const added = await createPerson(merchant.service);
  await turnOn(added);
  expect((await changeAndUndo(added)).status).toBe(200);

  const replaced = await createPerson(merchant.service);
  await turnOn(replaced);
  await age(replaced);
  const { secret } = (await replaced.ask('POST', '/second-factor/replacement')).json;
  const confirmed = await replaced.ask('POST', '/second-factor/replacement/confirm', { code: await generate({ secret }) });
  expect(confirmed.status, confirmed.text).toBe(200);
  expect((await changeAndUndo(replaced)).status).toBe(200);

  const older = await createPerson(merchant.service);
  await turnOn(older);
  await age(older);
  expect((await changeAndUndo(older)).json.reason).toBe('second_factor_required');
});

test('an address change requires a recent proof: an older session cannot start one', async () => {
  const nora = await createPerson(merchant.service);
  await merchant.service.platform.database.run(sql`
    update sessions set proved_at = ${movedBy(sql`proved_at`, -11 * minuteMs)}
    where user_id = (select user_id from users where email = ${nora.email})`);
  const email = freshAddress();
  expect((await nora.ask('POST', '/profile/email', { email })).json.reason).toBe('proof_required');
  expect(await emailsTo(merchant.service, email)).toEqual([]);
});
