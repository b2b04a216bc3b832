import { afterAll, beforeAll, expect, test } from 'vitest';
import { setPayoutMethod } from '../../src/creators/payout-methods.ts';
import { settlePayout } from '../../src/payouts/news.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { openProviders } from '../../src/providers/providers.ts';
import { good } from '../support/billing.ts';
import type { Json } from '../support/merchant.ts';
import { openPayoutOffice, type PayoutOffice } from '../support/payout-office.ts';

let office: PayoutOffice;
let merchant: PayoutOffice['merchant'];
beforeAll(async () => {
  office = await openPayoutOffice();
  merchant = office.merchant;
});
afterAll(() => merchant.service.stop());

const tell = (payoutId: string, outcome: Parameters<typeof settlePayout>[2]) => {
  const { platform } = merchant.service;
  return settlePayout({ platform, providers: openProviders(platform) }, payoutId, outcome);
};

/** What the operators were told of a payout: in the audit log, and by mail. */
async function toldOf(payoutId: string) {
  const entries: readonly Json[] = good(await merchant.api('GET', '/audit-log?limit=50')).json.data;
  const mails = await merchant.database.all<{ subject: string }>(sql`
    select subject from mails where to_address = ${merchant.world.logins.operator.email} order by mail_id`);
  return {
    entries: entries.filter(({ action, subject }) => action === 'payout.contradicted' && subject === payoutId),
    mails: mails.map(({ subject }) => subject).filter((subject) => subject.includes(payoutId)),
  };
}

test('of a payout that failed and is told paid the operators hear once, and its creator is paid nothing until they decide', async () => {
  const { platform } = merchant.service;
  const { id, creatorId } = await office.earner([1_700], 'declined');
  const [payout] = (await office.runFor(id)).payouts;
  expect(payout.state).toBe('failed');
  await setPayoutMethod(platform.database, platform.secrets, { creatorId, to: { sandbox: 'ok' }, at: new Date(0) });
  for (let times = 0; times < 2; times += 1) await tell(payout.id, { is: 'succeeded', providerId: 'po_late' });
  expect(await toldOf(payout.id)).toEqual({
    entries: [expect.objectContaining({ actor_name: 'Tributary' })],
    mails: [expect.stringContaining('told paid')],
  });
  expect((await office.runFor(id)).payouts).toEqual([]);
  expect((await merchant.api('GET', `/creators/${id}/balance`)).json.blocks).toMatchObject([{ reason: 'unfinished_payout' }]);

  const said = await merchant.api('POST', `/payouts/${payout.id}/mark-failed`, { reason: 'the bank gave it back' });
  expect(said).toMatchObject({ status: 200, json: { state: 'failed' } });
  // The provider says it once more, as they do: it was decided.
  await tell(payout.id, { is: 'succeeded', providerId: 'po_late' });
  expect((await toldOf(payout.id)).mails).toHaveLength(1);
  expect((await office.runFor(id)).payouts).toMatchObject([{ amount_cents: 1_700, state: 'paid' }]);
});

test('of a payout that was paid and is told declined the operators hear once, and it holds up no other', async () => {
  const { id } = await office.earner([800]);
  const [payout] = (await office.runFor(id)).payouts;
  const declined = { is: 'declined', providerId: null, code: 'no_account', message: 'There is no such account.' } as const;
  for (let times = 0; times < 2; times += 1) await tell(payout.id, declined);
  expect(await toldOf(payout.id)).toEqual({ entries: [expect.anything()], mails: [expect.stringContaining('told declined')] });
  expect((await merchant.api('GET', `/creators/${id}/balance`)).json.blocks).toEqual([]);
});
