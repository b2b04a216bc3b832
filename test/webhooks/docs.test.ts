import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { env, execPath } from 'node:process';
import { expect, test } from 'vitest';
import { invariant } from '../../src/core/invariant.ts';
import { pausesMs } from '../../src/webhooks/decide-attempt.ts';
import { eventTypes } from '../../src/webhooks/event-types.ts';
import { newSecret, signedHeaders } from '../../src/webhooks/signatures.ts';
import { freePort } from '../support/main-process.ts';

const page = readFileSync('docs/webhooks.md', 'utf8');

test('docs/webhooks.md lists the event types of the code', () => {
  const rows = [...page.matchAll(/^\| `([a-z_.]+)` \| (.+) \|$/gm)].map(([, type, means]) => [type, means]);
  expect(Object.fromEntries(rows)).toEqual(eventTypes);
});

test('docs/webhooks.md lists the retry schedule', () => {
  expect(page).toContain('after 5 seconds, 5 and 30 minutes, and 2, 5, 10, 14, 20, and 24 hours: ten attempts in about three days');
  const [seconds, minutes, hours] = [1_000, 60_000, 3_600_000];
  expect(pausesMs).toEqual([5 * seconds, 5 * minutes, 30 * minutes, ...[2, 5, 10, 14, 20, 24].map((count) => count * hours)]);
});

test('the receiver of docs/webhooks.md runs as written: it accepts each signed event once, and nothing else', async () => {
  const program = /```js\n([\s\S]*?)```/.exec(page)?.[1];
  invariant(program, 'the page has a receiver');
  const secret = newSecret();
  // Next to the packages that it imports. The unique name allows concurrent runs.
  const file = `node_modules/.webhooks-receiver-${randomUUID()}.test.mjs`;
  await writeFile(file, program);
  const port = await freePort();
  const child = spawn(execPath, [file], {
    env: { ...env, PORT: String(port), TRIBUTARY_WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk.toString('utf8')));
  try {
    await expect.poll(() => said.join('')).toContain('listening');
    const body = '{"type":"commission.recorded","timestamp":"2026-03-01T12:00:00.000Z","data":{"order_id":"order-1001"}}';
    const send = async (headers: Readonly<Record<string, string>>, text = body) =>
      (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: text })).status;
    const signed = signedHeaders({ id: 'msg_1', at: new Date(), body }, [newSecret(), secret]);
    expect(await send(signed)).toBe(204);
    expect(await send(signed)).toBe(204);
    expect(await send(signed, body.replace('1001', '1002'))).toBe(400);
    expect(await send(signedHeaders({ id: 'msg_1', at: new Date(Date.now() - 600_000), body }, [secret]))).toBe(400);
    expect(await send(signedHeaders({ id: 'msg_1', at: new Date(), body }, [newSecret()]))).toBe(400);
    expect(said.join('').match(/commission\.recorded order-1001/g)).toHaveLength(1);
  } finally {
    child.kill();
    await once(child, 'close');
    await rm(file);
  }
});
