import { afterAll, expect, test } from 'vitest';
import type { Refusal } from '../../../src/contract/reasons.ts';
import { dayMs, hourMs, minuteMs } from '../../../src/core/time.ts';
import { expectRefused } from '../../support/expect-response.ts';
import { openMerchant, otherMerchant } from '../../support/merchant.ts';
import { rowsWritten } from '../../support/rows.ts';

/** The brackets in a title name the section of the interface that the test verifies, and the row or rule in it. */
const merchant = await openMerchant();
afterAll(() => merchant.service.stop());
const other = otherMerchant(merchant);

const ago = (ms: number) => new Date(Date.parse(merchant.at()) - ms);
const clickAgo = (ms: number) => merchant.clickAt(ago(ms));
const testClick = async () => (await merchant.api('POST', `/stores/${merchant.world.store.id}/test-links`, {})).json.click_id;
let convertedClick: string | undefined;
/** A click that backs an order already. */
async function usedClick(): Promise<string> {
  convertedClick ??= await merchant.click();
  await merchant.convert(await merchant.order({ click_id: convertedClick, order_id: 'the first' }));
  return convertedClick;
}
const forged = (click: string) => click.slice(0, -3) + (click.endsWith('AAA') ? 'BBB' : 'AAA');

type Fields = Readonly<Record<string, unknown>>;
/** In the order of the contract's table. Each row also breaks rules below its own, as far as it can. */
const ladder: ReadonlyArray<readonly [what: string, fields: () => Fields | Promise<Fields>, reason: Refusal]> = [
  ['no click, in euros', () => ({ click_id: null, currency: 'EUR', occurred_at: 'x' }), 'missing_referral_click'],
  ['an empty click', () => ({ click_id: '' }), 'missing_referral_click'],
  ['euros, at no time', () => ({ click_id: 'rmc_forged', currency: 'EUR', occurred_at: 'x' }), 'unsupported_pricing_currency'],
  ['a currency in lower case', async () => ({ click_id: await merchant.click(), currency: 'usd' }), 'unsupported_pricing_currency'],
  ['no time that ever was', () => ({ click_id: 'rmc_forged', occurred_at: '2026-02-30T12:00:00Z' }), 'invalid_occurred_at'],
  ['a time without offset', () => ({ click_id: 'rmc_forged', occurred_at: '2026-03-01T12:00:00' }), 'invalid_occurred_at'],
  ['6 minutes ahead', () => ({ click_id: 'rmc_forged', occurred_at: merchant.at(6 * minuteMs) }), 'invalid_occurred_at'],
  ['a click that is none', () => ({ click_id: 'abc', test: true }), 'unknown_referral_click'],
  ['a forged click', async () => ({ click_id: forged(await merchant.click()), test: true }), 'unknown_referral_click'],
  ["another store's click", async () => ({ click_id: await other.click(), test: true }), 'unknown_referral_click'],
  ['a test with an ordinary click', async () => ({ click_id: await usedClick(), test: true }), 'test_click_required'],
  [
    'a test click without test, long ago',
    async () => ({ click_id: await testClick(), occurred_at: '2001-01-01T00:00:00Z' }),
    'test_click_not_allowed',
  ],
  [
    'older than the window and a week, and before its click',
    async () => ({ click_id: await merchant.click(), occurred_at: ago(37 * dayMs + minuteMs).toISOString() }),
    'invalid_occurred_at',
  ],
  [
    '6 minutes before its click, which backs another',
    async () => ({ click_id: await usedClick(), occurred_at: ago(hourMs).toISOString() }),
    'order_precedes_click',
  ],
  ['the day after the window', async () => ({ click_id: await clickAgo(31 * dayMs) }), 'attribution_window_expired'],
  ['a click that backs another order', async () => ({ click_id: await usedClick() }), 'referral_click_already_converted'],
];
test.each(ladder)('%s: stores only the log entry, and accepts the corrected order [Errors, 422]', async (_what, fields, reason) => {
  const order = await merchant.order({ click_id: undefined, ...(await fields()) });
  const rows = await rowsWritten(merchant.database, async () => {
    expectRefused(await merchant.convert(order), 422, reason, 'never');
    expectRefused(await merchant.convert(order), 422, reason, 'never');
  });
  expect(rows).toEqual({ postback_log: '2 new' });
  expect(await merchant.logEntryOf(order.order_id)).toMatchObject({ status: 422, reason, isReplay: false });
  expect((await merchant.convert(await merchant.order({ order_id: order.order_id }))).json.reason).toBe('recorded');
});

test('rejects an order one millisecond after the window, or more than five minutes before the click [Limits, occurred_at]', async () => {
  const clicked = ago(32 * dayMs);
  const click_id = await merchant.clickAt(clicked);
  const at = (ms: number) => ({ click_id, occurred_at: new Date(clicked.getTime() + ms).toISOString() });
  const late = await merchant.convert(await merchant.order(at(30 * dayMs + 1)));
  const early = await merchant.convert(await merchant.order(at(-5 * minuteMs - 1)));
  expectRefused(late, 422, 'attribution_window_expired', 'never');
  expectRefused(early, 422, 'order_precedes_click', 'never');
  expect((await merchant.convert(await merchant.order(at(30 * dayMs)))).json.reason).toBe('recorded');
});

test('a click ID has one spelling: neither spaces nor another last character make another click [States, click converted]', async () => {
  const click = await merchant.click();
  await merchant.convert(await merchant.order({ click_id: click }));
  const last = click.at(-1) ?? '';
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const twin = click.slice(0, -1) + alphabet.charAt(alphabet.indexOf(last) ^ 1);
  for (const click_id of [twin, ` ${click}`, `${click} `, `${click}=`, click.replace('rmc_', 'rmv_')])
    expectRefused(await merchant.convert(await merchant.order({ click_id })), 422, 'unknown_referral_click', 'never');
});

test('a click still backs its order after the order is reversed [States, click converted]', async () => {
  const order = await merchant.order({ click_id: await merchant.click() });
  await merchant.convert(order);
  expect((await merchant.reverse({ order_id: order.order_id })).json.reason).toBe('recorded');
  const second = await merchant.order({ click_id: order['click_id'] });
  expectRefused(await merchant.convert(second), 422, 'referral_click_already_converted', 'never');
});

test('refuses an order that has become too old [Limits, occurred_at age]', async () => {
  const [happened, clicked] = [ago(37 * dayMs - hourMs), ago(37 * dayMs)];
  const order = await merchant.order({ click_id: await merchant.clickAt(clicked), occurred_at: happened.toISOString() });
  await merchant.moveClock('61m');
  expectRefused(await merchant.convert(order), 422, 'invalid_occurred_at', 'never');
  const now = { ...order, occurred_at: merchant.at() };
  expectRefused(await merchant.convert(now), 422, 'attribution_window_expired', 'never');
});
