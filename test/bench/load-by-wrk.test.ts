import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { hasWrk, loadByWrk } from '../../bench/load-by-wrk.ts';
import { invariant } from '../../src/core/invariant.ts';

const orders = {
  are: 'orders',
  trackingKey: 'tracking',
  postbackKey: 'postback',
  linkNumber: '1',
  signingKey: '00'.repeat(32),
  run: 'run',
  discountCode: null,
} as const;

test.skipIf(!hasWrk())('a load by wrk ends when every prepared order was sent, once, although its time is not over', async () => {
  const server = createServer((request, response) => request.resume().on('end', () => response.end('{}'))).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  invariant(typeof address === 'object' && address !== null, 'the server listens on a port');
  const loaded = await loadByWrk({ port: address.port, connections: 4, seconds: 10, requests: { ...orders, ordersMax: 500 } });
  // wrk takes the first order as a sample, and does not send it.
  expect(loaded.answers).toEqual({ 200: 499 });
  expect(loaded.seconds).toBeLessThan(10);
});
