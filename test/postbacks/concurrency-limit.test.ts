import { expect, test } from 'vitest';
import { openMerchant, otherMerchant } from '../support/merchant.ts';
import { requestText, talk } from '../support/raw-socket.ts';

/** More than one store may have under way. */
const heldOpen = 1_050;
const openedAtOnce = 100;

test('a store with slow bodies uses up its own capacity only, and gets it back when they end', async () => {
  const merchant = await openMerchant();
  const other = otherMerchant(merchant);
  const { tracking_key: trackingKey, postback_key: key } = merchant.world.store;
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Content-Length': '100' };
  const begun = requestText('POST', `/api/partner-network/postbacks/${trackingKey}/conversions`, { headers });
  const orders = { own: await merchant.order(), others: await other.order() };

  const held: Awaited<ReturnType<typeof talk>>[] = [];
  const port = Number(new URL(merchant.service.url).port);
  while (held.length < heldOpen) {
    const opened = await Promise.all(Array.from({ length: openedAtOnce }, () => talk(port)));
    for (const talking of opened) talking.write(begun);
    held.push(...opened);
  }
  expect(await held.at(-1)?.answer()).toMatchObject({ status: 503 });
  const refused = await merchant.convert(orders.own);
  expect(refused).toMatchObject({ status: 503, json: { reason: 'temporarily_unavailable', retry: 'backoff' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(2);
  expect(await other.convert(orders.others)).toMatchObject({ status: 200, json: { reason: 'recorded' } });

  for (const talking of held) talking.close();
  await expect.poll(async () => (await merchant.convert(orders.own)).json.reason).toBe('recorded');
});
