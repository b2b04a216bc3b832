import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { readPublicId } from '../../src/core/ids.ts';
import { sendDigests } from '../../src/portal/send-digests.ts';
import { openMerchant, type Json } from '../support/merchant.ts';
import { createCreatorPerson, joinProgram, emailsTo, type SignedInCreator } from '../support/portal.ts';
import { reviewerOf } from '../support/review.ts';

const merchant = await openMerchant();
afterAll(() => merchant.service.stop());

const details = { country: 'DE', legal_name: 'Nora Neu', tax_id: 'DE 12-3456789' };

test("stores a tax id encrypted: the creator's responses, all rows, and the audit log contain only its end", async () => {
  const nora = await createCreatorPerson(merchant.service);
  const path = `/creators/${nora.id}/tax-details`;
  expect((await nora.ask('GET', path)).json).toEqual({ tax_details: null });
  expect((await nora.ask('PUT', path, { country: 'DE', legal_name: 'Nora' })).json.errors).toEqual([
    { field: 'tax_id', message: 'is required the first time' },
  ]);
  const response = await nora.ask('PUT', path, details);
  expect(response.json.tax_details).toEqual({
    country: 'DE',
    legal_name: 'Nora Neu',
    tax_id_last4: '6789',
    changed_at: expect.any(String),
  });
  const renamed = await nora.ask('PUT', path, { country: 'AT', legal_name: 'Nora Alt' });
  expect(renamed.json.tax_details).toMatchObject({ country: 'AT', legal_name: 'Nora Alt', tax_id_last4: '6789' });
  const rows = await merchant.database.all<{ text: string }>(sql`
    select t::text as text from creator_tax t union all select a::text from audit_log a
    union all select encode(tax_id_sealed, 'escape') from creator_tax`);
  expect(rows.some(({ text }) => text.includes('tax_details.set'))).toBe(true);
  expect(rows.filter(({ text }) => text.includes('3456789'))).toEqual([]);
});

test('an operator opens a tax id for reporting, which the audit log records; its creator cannot, and it may be missing', async () => {
  const nora = await createCreatorPerson(merchant.service);
  const path = `/creators/${nora.id}/tax-details`;
  expect((await merchant.api('POST', `${path}/open`)).json).toMatchObject({ reason: 'not_found' });
  await nora.ask('PUT', path, details);
  expect((await merchant.api('POST', `${path}/open`)).json).toEqual({ tax_id: 'DE 12-3456789' });
  expect(await nora.ask('POST', `${path}/open`)).toMatchObject({ status: 403, json: { reason: 'operator_only' } });
  const { looks } = await merchant.database.one<{ looks: bigint }>(sql`
    select count(*) as looks from audit_log where action = 'tax_id.opened' and creator_id = ${readPublicId('crt', nora.id)}`);
  expect(looks).toBe(1n);
});

test.each([
  { country: 'Germany', field: 'country' },
  { country: 'de', field: 'country' },
  { country: 'QQ', field: 'country' },
  { country: 'EU', field: 'country' },
  { tax_id: '12', field: 'tax_id' },
  { tax_id: '----', field: 'tax_id' },
  { legal_name: ' ', field: 'legal_name' },
])('rejects invalid tax details with their field: %o', async ({ field, ...wrong }) => {
  const nora = await createCreatorPerson(merchant.service);
  const response = await nora.ask('PUT', `/creators/${nora.id}/tax-details`, { ...details, ...wrong });
  expect([response.status, response.json.errors[0].field]).toEqual([400, field]);
});

async function seller(): Promise<{ readonly creator: SignedInCreator; readonly sell: (fields?: object) => Promise<string> }> {
  const creator = await createCreatorPerson(merchant.service);
  const { link } = await joinProgram(merchant, creator);
  const sell = async (fields: object = {}) =>
    (await reviewerOf(merchant).sale({ click_id: await merchant.click(link.url), ...fields })).commissionId;
  return { creator, sell };
}

/** Runs the digest job some time after the latest event. */
async function tell(): Promise<void> {
  await merchant.moveClock('1h');
  await sendDigests(merchant.service.platform, merchant.service.platform.clock.now());
}
const digests = async ({ email }: SignedInCreator) =>
  (await emailsTo(merchant.service, email)).filter(({ subject }) => !subject.startsWith('You’re approved'));

test('one email a day summarizes all sales, approvals, and rejections, and never repeats one', async () => {
  const { creator, sell } = await seller();
  const ids = [await sell(), await sell(), await sell()];
  await reviewerOf(merchant).results('approve', ids.slice(0, 1));
  await reviewerOf(merchant).results('reject', ids.slice(1, 2), { reason: 'Bought by mistake' });
  await tell();
  await tell();
  const [mail, ...more] = await digests(creator);
  expect(more).toEqual([]);
  expect(mail?.subject).toBe('Sales update · 3 new · 1 approved · 1 rejected');
  expect(mail?.text).toMatch(/3 new sales, worth 30\.03 USD in commissions if approved\./);
  expect(mail?.text).toMatch(/approved one sale: 10\.01 USD\./);
  expect(mail?.text).toMatch(/rejected order .* \(10\.01 USD\): Bought by mistake/);
  expect(mail?.text).toContain('/creator/sales');

  await sell();
  await merchant.moveClock('25h');
  const subjects = (await digests(creator)).map(({ subject }) => subject);
  expect(subjects).toEqual(['Sales update · 1 new', 'Sales update · 3 new · 1 approved · 1 rejected']);
});

test('an approval that is undone before the email is sent is not in it', async () => {
  const { creator, sell } = await seller();
  const id = await sell();
  await tell();
  await reviewerOf(merchant).results('approve', [id]);
  await reviewerOf(merchant).results('reopen', [id]);
  await tell();
  expect((await digests(creator)).map(({ subject }) => subject)).toEqual(['Sales update · 1 new']);
});

test('an email that is turned off is not written, and each is turned off separately', async () => {
  const { creator, sell } = await seller();
  const path = `/creators/${creator.id}/notifications`;
  const all = { joined: true, new_commissions: true, approved: true, refused: true, paid: true, failed: true };
  expect((await creator.ask('GET', path)).json).toEqual(all);
  expect((await creator.ask('PUT', path, { new_commissions: false, paid: false })).json).toEqual({
    ...all,
    new_commissions: false,
    paid: false,
  });
  expect((await creator.ask('PUT', path, { paid: false, weather: true })).status).toBe(400);
  const id = await sell();
  await tell();
  expect(await digests(creator)).toEqual([]);
  await reviewerOf(merchant).results('approve', [id]);
  await tell();
  expect((await digests(creator)).map(({ subject }) => subject)).toEqual(['Sales update · 1 approved']);
  expect((await creator.ask('PUT', path, { new_commissions: true })).json).toMatchObject({ new_commissions: true, paid: false });
});

test('an arrived payout is reported by email, unless that email is turned off', async () => {
  const emailsAfterPayout = async (isWanted: boolean): Promise<readonly string[]> => {
    const { creator, sell } = await seller();
    await creator.ask('PUT', `/creators/${creator.id}/notifications`, { paid: isWanted, new_commissions: false, approved: false });
    const id = await sell({ order_subtotal_cents: 500_000 });
    await reviewerOf(merchant).results('approve', [id]);
    await merchant.moveClock('31d');
    await merchant.api('POST', '/billing-runs', { store_id: merchant.world.store.id, minimum_cents: 0 });
    await merchant.moveClock('10m');
    const run = await merchant.api('POST', '/payout-runs', { creator_id: creator.id, minimum_cents: 0 });
    expect(run.json.payouts.map(({ state }: Json) => state)).toEqual(['paid']);
    return (await digests(creator)).map(({ subject }) => subject);
  };
  expect(await emailsAfterPayout(true)).toEqual(['We sent you a payout of 500.00 USD']);
  expect(await emailsAfterPayout(false)).toEqual([]);
});

test('a creator who turned off membership emails gets none, and the end of a pause sends none', async () => {
  const { creator } = await seller();
  const { world, api } = merchant;
  const members = `/stores/${world.store.id}/programs/${world.program.id}/members`;
  const [membership] = (await creator.ask('GET', `/creators/${creator.id}/memberships`)).json.data;
  for (const status of ['paused', 'approved']) await api('PATCH', `${members}/${membership.id}`, { status });
  expect(await emailsTo(merchant.service, creator.email)).toHaveLength(1);
  await creator.ask('PUT', `/creators/${creator.id}/notifications`, { joined: false });
  for (const status of ['removed', 'approved']) await api('PATCH', `${members}/${membership.id}`, { status });
  expect(await emailsTo(merchant.service, creator.email)).toHaveLength(1);
});
