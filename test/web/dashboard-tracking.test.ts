import { afterAll, expect, test } from 'vitest';
import { expectShown, openMerchantDashboard } from '../support/dashboard.ts';
import { axeViolations } from '../support/axe-violations.ts';
import { subscriberOf } from '../support/subscriber.ts';
import { looks } from '../support/size.ts';

const { dashboard, merchant } = await openMerchantDashboard();
afterAll(() => dashboard.stop());
const mara = await dashboard.visitor();
await mara.context.grantPermissions(['clipboard-read', 'clipboard-write']);
await mara.signIn(merchant.world.logins.merchant);

const open = (path: string) => mara.open(`/stores/${merchant.world.store.id}/${path}`);
const button = (name: string) => mara.page.getByRole('button', { name, exact: true });
const dialog = () => mara.page.getByRole('dialog');

test('a text that is applied when its field loses the focus is kept when another filter changes in the same moment', async () => {
  await open('tracking-log');
  await merchant.convert(await merchant.order({ order_id: 'kept-1', click_id: await merchant.click() }));
  await open('tracking-log');
  await mara.page.getByLabel('Order or event ID starts with').fill('kept');
  await mara.page.evaluate(`{
    const select = document.evaluate("//label[.='HTTP status']", document).iterateNext().control;
    document.activeElement.blur();
    Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(select, '200');
    select.dispatchEvent(new Event('change', { bubbles: true }));
  }`);
  const parameter = (name: string) => new URL(mara.page.url()).searchParams.get(name);
  await expect.poll(() => parameter('status')).toMatch(/200/);
  await expect.poll(() => parameter('q')).toBe('kept');
});

test('a failed postback is found by its reason, with its explanation, advice, and a command that sends it again', async () => {
  const click = await merchant.click();
  await merchant.convert(await merchant.order({ order_id: 'first of the click', click_id: click }));
  const order = await merchant.order({ order_id: "Mara's second", click_id: click, discountCode: 'SPRING' });
  expect((await merchant.convert(order)).json.reason).toBe('referral_click_already_converted');

  await open('tracking-log');
  await mara.page.getByRole('button', { name: 'referral_click_already_converted', exact: false }).first().click();
  await expect.poll(() => mara.page.getByRole('row').count()).toBe(2);
  await mara.page.waitForURL(/reason=referral_click_already_converted/);
  await button("Mara's second").click();
  const explained =
    /^The click of [A-Z][a-z]{2} \d{1,2}, \d{4}, \d\d:\d\d was already used for another order\. One click counts for one order\.$/;
  await expectShown(dialog().getByRole('paragraph').filter({ hasText: explained }));
  await expectShown(mara.page.getByRole('cell').getByText(explained).last());
  await expectShown(dialog().getByText('Save the click of each visit'));
  await expectShown(dialog().getByRole('listitem').filter({ hasText: 'Did you mean discount_code?' }));
  await button('Copy as curl').click();
  const copied = () => mara.page.evaluate<string>('navigator.clipboard.readText()');
  await expect.poll(copied).toContain('curl');
  const command = await copied();
  expect(command).toContain(`/api/partner-network/postbacks/${merchant.world.store.tracking_key}/conversions`);
  expect(command).toContain('Bearer $POSTBACK_KEY');
  expect(command).toContain(JSON.stringify(order).replaceAll("'", String.raw`'\''`));
  expect(await mara.page.content()).not.toContain(merchant.world.store.postback_key);

  const address = mara.page.url();
  await mara.page.goto(address);
  await expectShown(dialog().getByText('Next step'));
});

test('a key in a body is shown masked, with the steps that replace it and without a command that would send the masked copy', async () => {
  const key = merchant.world.store.postback_key;
  await merchant.convert(await merchant.order({ order_id: 'with a key', metadata: { note: key } }));
  await open('tracking-log?q=with');
  await button('with a key').click();
  await expectShown(dialog().getByText('Create a new key, install it on your server, and then revoke the old one.', { exact: false }));
  await expectShown(dialog().getByRole('link', { name: 'Manage postback keys' }));
  await expectShown(dialog().getByText('was masked before it was stored, so you can’t resend this copy', { exact: false }));
  expect(await button('Copy as curl').count()).toBe(0);
  expect(await mara.page.content()).not.toContain(key.slice(0, -4));
});

test('an accepted postback links to its conversion, and back', async () => {
  await open('tracking-log?q=first');
  await button('first of the click').click();
  await dialog().getByRole('link', { name: 'View conversion' }).click();
  await mara.page.waitForURL(/\/conversions/);
  await button('first of the click').click();
  await dialog().getByRole('link', { name: 'recorded' }).click();
  await expectShown(dialog().getByText('Response body'));
});

test('the live log shows new requests, which can be opened, above the history', async () => {
  await open('tracking-log');
  await button('Watch live').click();
  await expectShown(mara.page.getByText('Listening for requests.'));
  await merchant.convert({ order_id: 'while watching' });
  const answer = mara.page.getByRole('region', { name: 'Live' }).getByRole('row').filter({ hasText: 'invalid_payload' }).first();
  await expectShown(answer);
  await expectShown(mara.page.getByRole('region', { name: 'Requests', exact: true }).getByRole('row').nth(1));
  await answer.getByRole('button').first().click();
  await expectShown(dialog().getByText('Fix the field that the response names'));
  await mara.closeDialog();
  await button('Live: on').click();
  await expectShown(mara.page.getByLabel('Reason'));
});

test('filters are in the URL, and an invalid one shows an error', async () => {
  await open('tracking-log');
  await mara.page.getByLabel('HTTP status').selectOption('200');
  await expect.poll(() => new URL(mara.page.url()).searchParams.get('status')).toMatch(/200/);
  await expect.poll(() => mara.page.getByRole('row').filter({ hasText: 'invalid_payload' }).count()).toBe(0);
  await open('tracking-log?from=yesterday');
  await expectShown(mara.page.getByText('Some values aren’t valid: '));
});

test('a subscription invoiced for another product is shown with its invoices, and accepted', async () => {
  const subscriber = subscriberOf(merchant, 'sub-of-mara');
  await subscriber.bind();
  await subscriber.reportInvoice({ invoice_id: 'in-1' });
  await subscriber.reportInvoice({ invoice_id: 'in-2', product_id: 'plan-pro', price_id: 'price-pro' });
  await open('subscriptions?held=true');
  const row = mara.page.getByRole('row').filter({ hasText: 'sub-of-mara' });
  await expectShown(row.getByText('Cora Creator'));
  await expectShown(row.getByText('9.80'));
  await button('sub-of-mara').click();
  await expectShown(dialog().getByText('Needs review.'));
  await expectShown(dialog().getByRole('listitem').filter({ hasText: 'in-2' }));
  await button('Accept').click();
  await mara.page.getByRole('dialog', { name: 'Accept the new product?' }).getByRole('button', { name: 'Accept' }).click();
  await dialog().getByText('Needs review.').waitFor({ state: 'detached' });
  await expectShown(dialog().getByText('plan-pro, price-pro').first());
  expect((await subscriber.relationship()).heldReason).toBeNull();
  await dialog().getByRole('link', { name: 'in-1' }).click();
  await expectShown(dialog().getByText('Timeline'));
  await expectShown(dialog().getByText('Subscription invoice paid').first());
});

test.each(looks)(
  'in %s at %i pixels lists with long IDs and their drawers have no serious accessibility violation, and nothing overflows the screen',
  async (scheme, width) => {
    const long = `an id without an end ${'0123456789'.repeat(20)}`;
    await merchant.convert(await merchant.order({ order_id: long, click_id: 'rmc_x' }));
    const visitor = await dashboard.visitor({ scheme, width });
    await visitor.signIn(merchant.world.logins.merchant);
    for (const [list, row] of [
      ['tracking-log', 'an id without an end'],
      ['subscriptions', 'sub-of-mara'],
    ]) {
      await visitor.open(`/stores/${merchant.world.store.id}/${list}`);
      expect(await axeViolations(visitor)).toEqual([]);
      expect(await visitor.page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await visitor.page
        .getByRole('button', { name: row ?? '' })
        .first()
        .click();
      await visitor.page.getByRole('dialog').getByText('View as JSON').waitFor();
      expect(await axeViolations(visitor)).toEqual([]);
    }
    expect(visitor.complaints).toEqual([]);
  },
);

test('no page logs an error', () => {
  expect(mara.complaints).toEqual([]);
});
