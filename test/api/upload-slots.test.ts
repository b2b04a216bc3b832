import { connect } from 'node:net';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { untilLockWaits } from '../support/lock-waits.ts';
import { openMerchant, type Json } from '../support/merchant.ts';
import { sessionHeaders } from '../support/portal.ts';

const merchant = await openMerchant();
afterAll(() => merchant.service.stop());
const headers = await sessionHeaders(merchant.service, merchant.world.logins.merchant);
const path = `/api/v1/stores/${merchant.world.store.id}/programs/${merchant.world.program.id}/asset-files?name=logo.png`;
const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(100, 7)]);

async function upload(): Promise<{ readonly status: number; readonly json: Json }> {
  const response = await fetch(`${merchant.service.url}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(png),
  });
  return { status: response.status, json: await response.json() };
}

/** Sends a whole upload; the returned function resets the connection, which the service notices without writing to it. */
async function sendUpload(): Promise<() => void> {
  const { port, hostname } = new URL(merchant.service.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const all = { host: 'service.test', 'content-type': 'application/octet-stream', 'content-length': String(png.length), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), png]));
  return () => void socket.resetAndDestroy();
}

const noticeMs = 300;

test('an upload counts until its handler has returned, although its sender has disconnected', async () => {
  const uploads = 8;
  await merchant.database.transaction(async (tx) => {
    await tx.run(sql`lock table program_assets in access exclusive mode`);
    const disconnects = await Promise.all(Array.from({ length: uploads }, sendUpload));
    await untilLockWaits(merchant.database, uploads);
    for (const disconnect of disconnects) disconnect();
    await wait(noticeMs);
    expect(await upload()).toMatchObject({ status: 503, json: { message: 'Too many files are being uploaded. Try again in a moment.' } });
  });
  await expect.poll(async () => (await upload()).status).toBe(201);
});
