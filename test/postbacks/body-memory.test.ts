import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectProblem, json, plainServer, portOf, post } from '../support/plain-server.ts';
import { ask, chunked, talk, type Talk } from '../support/raw-socket.ts';

const app = plainServer({ bodiesBytesMax: 1_000_000 });
let port = 0;
beforeAll(async () => {
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = portOf(app);
});
afterAll(() => app.close());

const largeBytes = 700_000;
const large = (): Buffer => post({ ...json, 'Content-Length': String(largeBytes) }, 'x'.repeat(largeBytes));

/** Sends all but the last byte of a large body. */
async function beginLarge(): Promise<Talk> {
  const [connected, talking] = await Promise.all([once(app.server, 'connection'), talk(port)]);
  const socket: Socket = connected[0];
  const bytes = large().subarray(0, -1);
  talking.write(bytes);
  await expect.poll(() => socket.bytesRead).toBe(bytes.length);
  return talking;
}

async function expectRejected(): Promise<void> {
  const answer = await ask(port, large());
  expectProblem(answer, 503, 'temporarily_unavailable');
  expect(answer?.headers).toMatchObject({ 'retry-after': '2', connection: 'close' });
}

test('answers 503 to a large body beyond the memory for bodies, reads small ones, and later reads large ones again', async () => {
  const holder = await beginLarge();
  await expectRejected();
  expect(await ask(port, post({ ...json, 'Content-Length': '16384' }, 'x'.repeat(16_384)))).toMatchObject({ json: { bytes: 16_384 } });
  expect(await ask(port, post({ ...json, 'Transfer-Encoding': 'chunked' }, chunked('{"a":', '1}')))).toMatchObject({ json: { bytes: 7 } });
  holder.write('x');
  expect(await holder.answer()).toMatchObject({ status: 200, json: { bytes: largeBytes } });
  holder.close();
  expect(await ask(port, large())).toMatchObject({ status: 200, json: { bytes: largeBytes } });
});

test('counts a large body no longer when its sender disconnects', async () => {
  const holder = await beginLarge();
  await expectRejected();
  holder.close();
  await expect.poll(async () => (await ask(port, large()))?.status).toBe(200);
});

test('counts a large body until its response has closed', async () => {
  const slow = plainServer({ bodiesBytesMax: 1_000_000 });
  const answers: Array<() => void> = [];
  slow.post('/slow', async () => new Promise((resolve) => answers.push(() => resolve({ ok: true }))));
  await slow.listen({ port: 0, host: '127.0.0.1' });
  const talking = await talk(portOf(slow));
  talking.write(large().toString('latin1').replace('/things', '/slow'));
  await expect.poll(() => answers.length).toBe(1);
  expectProblem(await ask(portOf(slow), large()), 503, 'temporarily_unavailable');
  answers[0]?.();
  expect(await talking.answer()).toMatchObject({ status: 200 });
  expect(await ask(portOf(slow), large())).toMatchObject({ status: 200, json: { bytes: largeBytes } });
  talking.close();
  await slow.close();
});

const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
};

test('a body in chunks of one byte takes no more memory than one in large chunks', async () => {
  const length = 400_000;
  const [connected, talking] = await Promise.all([once(app.server, 'connection'), talk(port)]);
  const socket: Socket = connected[0];
  collectGarbage();
  const before = process.memoryUsage();
  const head = post({ ...json, 'Transfer-Encoding': 'chunked' });
  talking.write(head);
  for (let sent = 0; sent < length; sent += 1_000) talking.write('1\r\nx\r\n'.repeat(1_000));
  await expect.poll(() => socket.bytesRead, { timeout: 20_000 }).toBe(head.length + 6 * length);
  collectGarbage();
  const after = process.memoryUsage();
  expect(after.heapUsed + after.external - before.heapUsed - before.external).toBeLessThan(8_000_000);
  talking.write('0\r\n\r\n');
  expect(await talking.answer()).toMatchObject({ status: 200, json: { bytes: length } });
  talking.close();
});
