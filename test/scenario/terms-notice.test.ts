import { expect, test } from 'vitest';
import { expectSuccess } from '../support/billing.ts';
import type { Json } from '../support/merchant.ts';
import { emailsTo } from '../support/portal.ts';
import { openMerchantInSpring, payMonth, testStatementsAndBooks } from '../support/paid-month.ts';

/** Worse terms are announced; one creator accepts them early, another one does not, and an earlier click is protected. */
const { merchant, store, program } = await openMerchantInSpring();
const commissionIds: Record<string, string> = {};

const sell = async (order_id: string, click: string): Promise<void> => {
  const { json } = await merchant.convert(await merchant.order({ order_id, order_subtotal_cents: 20_010, click_id: click }));
  commissionIds[order_id] = json.conversion_id;
};

async function addCreator(email: string): Promise<Json> {
  const creator = (await merchant.api('POST', '/creators', { name: 'Other creator', email })).json;
  const member = (await merchant.api('POST', `${program}/members`, { creator_id: creator.id })).json;
  const link = (await merchant.api('POST', `${program}/links`, { creator_id: creator.id })).json;
  return { ...creator, member: member.id, url: link.url };
}

const other = await addCreator('other-of-notice@creators.example');
const member = (await merchant.api('GET', `${program}/members`)).json.data.find(
  ({ creator_id: id }: Json) => id === merchant.world.creator.id,
);
const terms = (points: number) => ({ order_rules: [{ basis_points: points }], notice_days: 7, protect_click_days: 14 });
expectSuccess(await merchant.api('POST', `${program}/terms`, terms(1_000)));
const { version } = expectSuccess(await merchant.api('POST', `${program}/terms`, terms(600))).json;
await sell('before-acceptance', await merchant.click());
const earlyClick = await merchant.click(other.url);
await merchant.moveClock('1h');
expectSuccess(await merchant.api('POST', `/creators/${merchant.world.creator.id}/memberships/${member.id}/accept-terms`, { version }));
await sell('accepted', await merchant.click());
await sell('not-accepted', await merchant.click(other.url));
await merchant.moveClock('7d');
await sell('after', await merchant.click());
await sell('after-of-other', await merchant.click(other.url));
await sell('protected', earlyClick);
// The ledger is of all creators, and the statements below are of one.
const ofOther = ['not-accepted', 'after-of-other', 'protected'].map((order) => commissionIds[order]);
expectSuccess(await merchant.api('POST', `${store}/commissions/reject`, { ids: ofOther, reason: 'other' }));
expectSuccess(await merchant.api('POST', `${store}/commissions/approve`, { filter: { state: 'pending' } }));
const month = await payMonth(merchant);

const ends = {
  'before-acceptance': ['paid', 2_001],
  accepted: ['paid', 1_201],
  'not-accepted': ['rejected', 2_001],
  after: ['paid', 1_201],
  'after-of-other': ['rejected', 1_201],
  protected: ['rejected', 2_001],
} as const;

test('each order earns by the version of its creator and its click', async () => {
  const reasons: Record<string, string | undefined> = {};
  for (const [order, [state, amount]] of Object.entries(ends)) {
    const { json } = await merchant.api('GET', `${store}/commissions/${commissionIds[order]}`);
    expect([order, json.state, json.amount_cents]).toEqual([order, state, amount]);
    reasons[order] = /because the (creator accepted|click)/.exec(json.explanation)?.[1];
  }
  expect(reasons).toEqual({ accepted: 'creator accepted', protected: 'click' });
});

test('each member got one email with the date and the comparison', async () => {
  const { json: own } = await merchant.api('GET', `/creators/${merchant.world.creator.id}`);
  for (const { email } of [own, other]) {
    const mails = (await emailsTo(merchant.service, email)).filter(({ subject }) => subject.includes('the terms of'));
    expect(mails.map(({ subject }) => subject)).toEqual([expect.stringMatching(/: the terms of .+ change on March 12, \d{4}$/)]);
    expect(mails[0]?.text).toContain('Commission on orders: 6%, before: 10%.');
    expect(mails[0]?.text).toContain('Orders in the first 14 days after that keep the present terms if their click came before.');
    expect(mails[0]?.text).toContain('/creator/programs');
  }
});

testStatementsAndBooks(merchant, month, [2_001, 1_201, 1_201]);
