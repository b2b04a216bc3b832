import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { realNow, secondMs } from '../../src/core/time.ts';
import { eventTypes } from '../../src/webhooks/event-types.ts';
import { runWebhooks } from '../../src/webhooks/deliver-webhooks.ts';
import catalog from '../../locales/en/webhooks.json' with { type: 'json' };
import { expectShown, openMerchantDashboard } from '../support/dashboard.ts';
import { reviewerOf } from '../support/review.ts';
import { axeViolations } from '../support/axe-violations.ts';
import { type ReceivedWebhook, verified, startWebhookReceiver } from '../support/webhook-receiver.ts';
import { looks } from '../support/size.ts';

let secret = '';
// The tests of this file run in order: each continues where the previous one ended.
const receiver = await startWebhookReceiver();
const { dashboard, merchant } = await openMerchantDashboard({ OUTGOING_ALLOW: receiver.host });
const mara = await dashboard.visitor();
await mara.signIn(merchant.world.logins.merchant);
afterAll(async () => {
  await dashboard.stop();
  await receiver.close();
});

const hook = '/hook';
const open = (path: string) => mara.open(`/stores/${merchant.world.store.id}/${path}`);
const button = (name: string) => mara.page.getByRole('button', { name, exact: true });
const dialog = () => mara.page.getByRole('dialog');
const row = (text: string) => mara.page.getByRole('row').filter({ hasText: text });
/**
 * Moves the due times of the deliveries into the past until this many attempts are stored: the queue may be polling at that moment, and
 * an attempt that the receiver got may not be on the page yet.
 */
const lookUntilTried = (count: number, laterMs: number) =>
  expect
    .poll(async () => {
      await runWebhooks(dashboard.service.platform, new Date(realNow().getTime() + laterMs));
      const { made } = await merchant.database.one<{ made: bigint }>(
        sql`select count(*) as made from webhook_attempts where store_id = ${merchant.storeId}`,
      );
      return Number(made);
    })
    .toBe(count);

async function secretShown(): Promise<string> {
  await expectShown(dialog().getByText('It won’t be shown again'));
  const shown = await dialog().locator('code').filter({ hasText: 'whsec_' }).innerText();
  await button('I’ve stored it').click();
  await expect.poll(() => dialog().count()).toBe(0);
  return shown;
}

async function lastTaken(count: number): Promise<ReceivedWebhook> {
  await expect.poll(() => receiver.received(hook).length).toBe(count);
  const last = receiver.received(hook).at(-1);
  if (last === undefined) throw new Error('the endpoint received no request');
  return last;
}

test('every event of the service has a description, and no other has', () => {
  expect(catalog.webhook_events).toEqual(eventTypes);
});

test('adds an endpoint by keyboard alone, with an error next to an invalid URL and the secret shown once', async () => {
  const { keyboard } = mara.page;
  await open('webhooks');
  await expectShown(mara.page.getByText('No endpoints yet'));
  await button('Add endpoint').focus();
  await keyboard.press('Enter');
  await expectShown(dialog().getByLabel('URL'));
  await mara.focused('name === "url"');
  await keyboard.type('http://shop.example/hook');
  await keyboard.press('Enter');
  await expectShown(dialog().getByText('Must begin with https://'));
  await mara.focused('name === "url"');
  await keyboard.press('ControlOrMeta+a');
  await keyboard.type(receiver.url(hook));
  await keyboard.press('Tab');
  await keyboard.type('Accounting');
  // The first checkbox: new commissions.
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await keyboard.press('Space');
  await keyboard.press('Enter');
  secret = await secretShown();
  expect(secret).toMatch(/^whsec_[\w+/=]{40,}$/);
  const line = row('Accounting');
  await expectShown(line.getByText('On', { exact: true }));
  expect(await line.innerText()).toContain('commission.recorded');
  expect(await line.innerText()).not.toContain('commission.approved');
  expect(await mara.page.content()).not.toContain(secret);
});

test('a test event is sent on request, and its result appears without a reload', async () => {
  await mara.page.getByRole('link', { name: receiver.url(hook) }).click();
  await expectShown(mara.page.getByText('No deliveries yet'));
  await button('Send test event').click();
  await expectShown(row('webhook.test').getByText('Delivered', { exact: true }));
  const request = await lastTaken(1);
  expect(verified(request, secret)).toMatchObject({ type: 'webhook.test' });
  await button('webhook.test').click();
  await expectShown(dialog().getByText('HTTP 200'));
  await expectShown(dialog().getByText('thank you'));
  await expectShown(dialog().getByText(request.id));
  await mara.closeDialog();
});

test('a failed delivery shows the error of each attempt, and is resent immediately on request', async () => {
  receiver.answer(hook, (response) => response.writeHead(503).end('the books are closed <b>today</b>'));
  await reviewerOf(merchant).sale();
  await lookUntilTried(2, 0);
  await lookUntilTried(3, 10 * secondMs);
  await mara.page.reload();
  await expectShown(row('commission.recorded').getByText('Waiting', { exact: true }));
  await mara.page.getByLabel('Status').selectOption('waiting');
  await row('webhook.test').waitFor({ state: 'detached' });
  await button('commission.recorded').click();
  await expectShown(dialog().getByText('the books are closed <b>today</b>').first());
  await expect.poll(() => dialog().getByText('HTTP 503').count()).toBe(2);
  expect(await axeViolations(mara)).toEqual([]);
  receiver.answer(hook, (response) => response.writeHead(204).end());
  await button('Resend').click();
  await expectShown(dialog().getByText('HTTP 204'));
  await expectShown(dialog().getByText('Delivered', { exact: true }));
  const again = await lastTaken(4);
  expect(again.id).toBe(receiver.received(hook)[1]?.id);
  // The open row and the filter are in the URL.
  const address = mara.page.url();
  await mara.page.goto(address);
  await expectShown(dialog().getByText('HTTP 204'));
  await mara.closeDialog();
  await expectShown(mara.page.getByText('No matching deliveries'));
  await button('Clear filters').click();
  await expectShown(button('commission.recorded'));
});

test('after a new secret each call is signed with both, so that no event is lost during the change', async () => {
  await button('Rotate secret').click();
  await dialog().getByLabel('Previous secret stays valid').selectOption('For 72 hours');
  await button('Create new secret').click();
  const newer = await secretShown();
  expect(newer).not.toBe(secret);
  await button('Send test event').click();
  const request = await lastTaken(5);
  verified(request, secret);
  verified(request, newer);
  await button('Rotate secret').click();
  await button('Create new secret').click();
  await expectShown(dialog().getByText('Two secrets are valid until'));
  await dialog().getByLabel('Previous secret stays valid').selectOption('No overlap, because the secret may be compromised');
  await button('Create new secret').click();
  const newest = await secretShown();
  await button('Send test event').click();
  const last = await lastTaken(6);
  verified(last, newest);
  expect(() => verified(last, newer)).toThrow('No matching signature');
});

test('the events of an endpoint can be changed, but not to none', async () => {
  await button('Edit').click();
  await expectShown(dialog().getByRole('checkbox').last());
  for (const box of await dialog().getByRole('checkbox').all()) await box.uncheck();
  await button('Save').click();
  await expectShown(dialog().getByText('Select at least one.'));
  await dialog().getByRole('checkbox', { name: 'invoice.issued' }).check();
  await dialog().getByLabel('Description').fill('');
  await button('Save').click();
  await expect.poll(() => dialog().count()).toBe(0);
  await expectShown(mara.page.getByRole('definition').filter({ hasText: /^invoice\.issued$/ }));
  await expect.poll(() => mara.page.getByText('Accounting').count()).toBe(0);
});

test('a paused endpoint sends nothing, even on request; an enabled one does', async () => {
  await button('Pause').click();
  await button('Pause endpoint').click();
  await expectShown(mara.page.getByText('No events are sent.', { exact: true }));
  await expect.poll(() => button('Send test event').count()).toBe(0);
  await button('webhook.test').first().click();
  await expectShown(dialog().getByText('Turn on the endpoint to resend it'));
  await mara.closeDialog();
  await button('Turn on').click();
  await button('Send test event').click();
  await lastTaken(7);
});

test('an endpoint that answered 410 is switched off, and its page says so', async () => {
  receiver.answer(hook, (response) => response.writeHead(410).end());
  await button('Send test event').click();
  await lastTaken(8);
  await expectShown(mara.page.getByRole('status').filter({ hasText: 'It returned 410' }));
  expect(await axeViolations(mara)).toEqual([]);
});

test.each(looks.map(([, width]) => width))(
  'the dialogs and deliveries have no serious accessibility violation in any color scheme at %i pixels',
  async (width) => {
    const visitor = await dashboard.visitor({ width });
    await visitor.signIn(merchant.world.logins.merchant);
    const { page } = visitor;
    const violations: string[] = [];
    const look = async () => {
      violations.push(...(await axeViolations(visitor)));
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    };
    await visitor.open(`/stores/${merchant.world.store.id}/webhooks`);
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByRole('dialog').waitFor();
    await look();
    await visitor.closeDialog();
    await page.getByRole('link', { name: receiver.url(hook) }).click();
    await page.getByRole('table', { name: 'Deliveries' }).waitFor();
    await look();
    await page.getByRole('button', { name: 'commission.recorded' }).click();
    await page.getByRole('dialog').getByText('Request body').waitFor();
    await look();
    await visitor.closeDialog();
    for (const name of ['Rotate secret', 'Remove']) {
      await page.getByRole('button', { name, exact: true }).click();
      await page.getByRole('dialog').waitFor();
      await look();
      await visitor.closeDialog();
    }
    expect(violations).toEqual([]);
    expect(visitor.complaints).toEqual([]);
  },
);

test('a removed endpoint is gone, and its URL says so', async () => {
  const address = mara.page.url();
  await button('Remove').click();
  await button('Remove endpoint').click();
  await expectShown(mara.page.getByText('No endpoints yet'));
  await mara.page.goto(address);
  await expectShown(mara.page.getByText('It was removed, or belongs to another store.'));
  expect(mara.complaints).toEqual([]);
});
