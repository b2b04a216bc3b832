import { afterAll, expect, test } from 'vitest';
import { setPayoutMethod } from '../../src/creators/payout-methods.ts';
import { handlePayoutEvent } from '../../src/payouts/send-payout.ts';
import { sql } from '../../src/db/sql.ts';
import { openProviders } from '../../src/payments/providers.ts';
import { expectSuccess } from '../support/billing.ts';
import type { Json } from '../support/merchant.ts';
import { emailsTo } from '../support/portal.ts';
import { openOperatorPayouts } from '../support/operator-payouts.ts';

const office = await openOperatorPayouts();
const merchant = office.merchant;
afterAll(() => merchant.service.stop());

const tell = (payoutId: string, outcome: Parameters<typeof handlePayoutEvent>[2]) => {
  const { platform } = merchant.service;
  return handlePayoutEvent({ platform, providers: openProviders(platform) }, payoutId, outcome);
};

/** The audit entries and emails to operators about a payout. */
async function noticesOf(payoutId: string) {
  const entries: readonly Json[] = expectSuccess(await merchant.api('GET', '/audit-log?limit=50')).json.data;
  const mails = await merchant.database.all<{ subject: string }>(sql`
    select subject from mails where to_address = ${merchant.world.logins.operator.email} order by mail_id`);
  return {
    entries: entries.filter(({ action, subject }) => action === 'payout.contradicted' && subject === payoutId),
    mails: mails.map(({ subject }) => subject).filter((subject) => subject.includes(payoutId)),
  };
}

test('notifies operators once of a failed payout that is reported paid, and pays its creator nothing until they decide', async () => {
  const { platform } = merchant.service;
  const { id, creatorId } = await office.earner([1_700], 'declined');
  const [payout] = (await office.runFor(id)).payouts;
  expect(payout.state).toBe('failed');
  await setPayoutMethod(platform.database, platform.secrets, {
    creatorId,
    to: { sandbox: 'ok' },
    at: new Date(0),
    hasEarned: false,
    setBy: null,
  });
  for (let times = 0; times < 2; times += 1) await tell(payout.id, { is: 'succeeded', providerId: 'po_late' });
  expect(await noticesOf(payout.id)).toEqual({
    entries: [expect.objectContaining({ actor_name: 'Tributary' })],
    mails: [expect.stringContaining('reported as paid')],
  });
  expect((await office.runFor(id)).payouts).toEqual([]);
  const message = 'We are investigating an earlier payout. The next payout starts when the investigation is complete.';
  expect((await merchant.api('GET', `/creators/${id}/balance`)).json.blocks).toMatchObject([{ reason: 'unfinished_payout', message }]);
  const asOperatorsSee = async () =>
    expectSuccess(await merchant.api('GET', '/payouts')).json.data.find((listed: Json) => listed.id === payout.id);
  const time = expect.stringMatching(/^\d{4}-/);
  expect(await asOperatorsSee()).toMatchObject({ state: 'failed', contradicted_at: time, contradiction_decided_at: null });

  const said = await merchant.api('POST', `/payouts/${payout.id}/mark-failed`, { reason: 'the bank gave it back' });
  expect(said).toMatchObject({ status: 200, json: { state: 'failed', contradicted_at: time, contradiction_decided_at: time } });
  // The provider repeats the event after the decision.
  await tell(payout.id, { is: 'succeeded', providerId: 'po_late' });
  expect((await noticesOf(payout.id)).mails).toHaveLength(1);
  expect((await office.runFor(id)).payouts).toMatchObject([{ amount_cents: 1_700, state: 'paid' }]);
});

test('notifies operators once of a paid payout that is reported declined, and blocks no other payout', async () => {
  const { id } = await office.earner([800]);
  const [payout] = (await office.runFor(id)).payouts;
  const declined = { is: 'declined', providerId: null, code: 'no_account', message: 'The account does not exist.' } as const;
  for (let times = 0; times < 2; times += 1) await tell(payout.id, declined);
  expect(await noticesOf(payout.id)).toEqual({ entries: [expect.anything()], mails: [expect.stringContaining('reported as declined')] });
  expect((await merchant.api('GET', `/creators/${id}/balance`)).json.blocks).toEqual([]);
});

test('answers the second person that an earlier payout is under investigation, and sends nothing', async () => {
  const { platform } = merchant.service;
  const { id, creatorId } = await office.earner([1_900], 'declined');
  const [first] = (await office.runFor(id)).payouts;
  await setPayoutMethod(platform.database, platform.secrets, {
    creatorId,
    to: { sandbox: 'ok' },
    at: new Date(0),
    hasEarned: false,
    setBy: null,
  });
  await office.settings({ second_person_above_cents: 0 });
  const [next] = (await office.runFor(id)).payouts;
  expect(next.state).toBe('awaiting_second');
  await tell(first.id, { is: 'succeeded', providerId: 'po_late' });
  expect(await office.second('POST', `/payouts/${next.id}/confirm`)).toMatchObject({
    status: 422,
    json: { message: expect.stringContaining('An earlier payout is being investigated, so this one was not sent.') },
  });
  await office.settings({});
});

test('notifies operators which payout to stop if the next one is already on the bank list', async () => {
  const { platform } = merchant.service;
  const { id, creatorId } = await office.earner([2_100], 'declined');
  const [first] = (await office.runFor(id)).payouts;
  const to = { manual: 'DE89 3704 0044 0532 0130 00' };
  await setPayoutMethod(platform.database, platform.secrets, { creatorId, to, at: new Date(0), hasEarned: false, setBy: null });
  const [next] = (await office.runFor(id)).payouts;
  expect(next.state).toBe('sending');
  await tell(first.id, { is: 'succeeded', providerId: 'po_late' });
  const mails = await emailsTo(merchant.service, merchant.world.logins.operator.email);
  const text = mails.find(({ subject }) => subject.includes(first.id))?.text ?? '';
  expect(text).toContain(`Payout ${next.id} of 21.00 USD to the same creator was already sent`);
});
