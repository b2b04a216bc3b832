import { afterAll, expect, test } from 'vitest';
import { readEmail } from '../../src/notify/stored-email.ts';
import { listEmails } from '../../src/notify/emails-sql.ts';
import { sql } from '../../src/db/sql.ts';
import { invariant } from '../../src/core/invariant.ts';
import { verify } from '../../src/app/verify.ts';
import { expectSuccess } from '../support/billing.ts';
import { openMerchantAlone, otherMerchant, type Json } from '../support/merchant.ts';

const merchant = await openMerchantAlone();
afterAll(() => merchant.service.stop());
await merchant.moveToNoon();
const other = otherMerchant(merchant);

const mailsAbout = async (subject: string): Promise<readonly { readonly to: string; readonly text: string }[]> => {
  const { database, secrets } = merchant.service.platform;
  const listed = await listEmails(database, null, { after: null, limit: 200 });
  const found = listed.filter((mail) => mail.subject === subject);
  return Promise.all(
    found.map(async ({ mailId, toAddress }) => {
      const mail = await readEmail(database, secrets, mailId);
      invariant(mail, 'the email is listed');
      return { to: toAddress, text: mail.text };
    }),
  );
};

test('sends no email on a day on which no scheduled job failed', async () => {
  await merchant.moveClock('1d');
  expect(await mailsAbout('A scheduled job failed')).toEqual([]);
});

test('names a store whose scheduled job fails on the jobs page and in an email to operators, and processes the other stores', async () => {
  const { database, storeId, world } = merchant;
  const nines = '9'.repeat(38);
  const add = (store: string, slot: number, cents: string) =>
    database.run(sql`
      insert into store_days (store_id, day, what, slot, count, eligible_cents, commission_cents)
      values (${store}::uuid, '2026-01-01'::date, 'order', ${slot}, 1, ${cents}::numeric, 0)`);
  // The sum of these exceeds the range of the column.
  await add(storeId, 1, nines);
  await add(storeId, 2, nines);
  await add(other.storeId, 1, '100');
  await add(other.storeId, 2, '200');
  await merchant.moveClock('1d');
  const { night } = expectSuccess(await merchant.api('GET', '/jobs')).json;
  const failed = night.filter((job: Json) => job.last_error !== null);
  expect(failed.map((job: Json) => job.job)).toEqual(['update daily totals']);
  expect(failed[0].last_error).toBe(
    `The daily rollups of stores could not be folded: ${world.store.id} (SQLSTATE 22003). The others are done, and what is left is due again at the next run`,
  );
  const folded = await database.all<{ eligibleCents: bigint }>(
    sql`select eligible_cents from store_days where store_id = ${other.storeId}::uuid and day = '2026-01-01'::date`,
  );
  expect(folded).toEqual([{ eligibleCents: 300n }]);
  const mails = await mailsAbout('A scheduled job failed');
  expect(mails.length).toBeGreaterThan(0);
  expect(mails[0]?.text).toContain(world.store.id);
  expect(mails[0]?.text).toContain('/operator/jobs');

  // Once the cause is fixed, no further email is sent.
  await database.run(sql`delete from store_days where day = '2026-01-01'::date`);
  await merchant.moveClock('1d');
  expect(await mailsAbout('A scheduled job failed')).toHaveLength(mails.length);
});

test('reports a failing check of the verification as a difference, and runs all other checks', async () => {
  const before = await verify(merchant.service.platform);
  await merchant.database.pool.query('alter table payout_holds rename to payout_holds_renamed');
  try {
    const results = await verify(merchant.service.platform);
    expect(results.map(({ what }) => what)).toEqual(before.map(({ what }) => what));
    const failed = results.filter(({ differences }) => differences.length > 0);
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.flatMap(({ differences }) => differences)).toEqual(
      failed.map(() => ({ storeId: null, detail: 'the check failed to run: SQLSTATE 42P01' })),
    );
    expect(results.length).toBeGreaterThan(failed.length + 20);
    const { differences } = expectSuccess(await merchant.api('POST', '/ledger/verify')).json;
    expect(differences[0]).toMatchObject({ store_id: '', detail: 'the check failed to run: SQLSTATE 42P01' });
  } finally {
    await merchant.database.pool.query('alter table payout_holds_renamed rename to payout_holds');
  }
  expect((await verify(merchant.service.platform)).flatMap(({ differences }) => differences)).toEqual([]);
});
