import { expect, test } from 'vitest';
import { replay } from '../../cli/replay.ts';
import { send } from '../../cli/send.ts';
import { decideQueued } from '../../sdk/src/decide-queued.ts';
import { decideStep } from '../../sdk/src/decide-stripe.ts';
import { openFileStore } from '../../sdk/src/file-store.ts';
import { createQueue } from '../../sdk/src/queue.ts';
import { createTributary, type Result } from '../../sdk/src/tributary.ts';
import { answeringServer, recorded, refusal } from './answering-server.ts';
import { newFolder } from './queue-folder.ts';

// A report that was rejected because of a key, a URL or a setting succeeds once that is fixed, so none may be lost.
const hourMs = 3_600_000;
const refused = (reason: string) =>
  ({ ok: false, outcome: 'refused', retry: 'no', reason, message: '', status: 401, requestId: null, attempts: 1 }) as Result;

const fixable = [
  'missing_postback_key',
  'invalid_postback_key',
  'store_archived',
  'integration_disabled',
  'not_found',
  'unexpected_redirect',
  'http_403',
];
test.each(fixable)('after %s the queue waits for a long time, and Stripe retries', (reason) => {
  expect(decideQueued({ failures: 0 }, refused(reason))).toEqual({ is: 'waits', ms: hourMs, holdsLane: true });
  expect(decideStep(refused(reason), { isBind: false })).toEqual({ is: 'again' });
});

test.each(['unknown_order', 'duplicate_order_conflict', 'invalid_payload', 'missing_referral_click'])('%s is final', (reason) =>
  expect(decideQueued({ failures: 0 }, refused(reason))).toEqual({ is: 'refused' }),
);

test('an order and its refund that were rejected for a wrong key are sent in order once the key is fixed', async () => {
  const server = await answeringServer(refusal(401, 'invalid_postback_key'), recorded);
  const store = await openFileStore(await newFolder());
  const tributary = createTributary({ baseUrl: server.url, trackingKey: 'trk', postbackKey: 'pbk' });
  const an = (laterMs: number) =>
    createQueue({
      tributary,
      store: { ...store, take: (query) => store.take({ ...query, now: new Date(query.now.getTime() + laterMs) }) },
    });
  try {
    await an(0).conversions.record({ orderId: '1', clickId: 'rmc_1', orderSubtotalCents: 500 });
    await an(0).conversions.reverse({ orderId: '1' });
    expect([await an(0).work(), await an(hourMs / 2).work()]).toEqual([1, 0]);
    while ((await an(hourMs + 60_000).work()) > 0);
    expect(server.received.map(({ path }) => path.split('/').at(-1))).toEqual(['conversions', 'conversions', 'reversals']);
  } finally {
    server.close();
    await store.close();
  }
});

const noApi = { TRIBUTARY_STORE: undefined, TRIBUTARY_API_KEY: undefined };

test('the command line also keeps a report that a wrong key rejected, and reports the error', async () => {
  const server = await answeringServer(refusal(401, 'invalid_postback_key'));
  const lines: string[] = [];
  const files = new Map([['a.jsonl', '{"operation":"reversal","body":"{\\"order_id\\":\\"1\\"}"}\n']]);
  const write = async (path: string, text: string) => void files.set(path, text);
  const terminal = {
    say: (line: string) => void lines.push(line),
    read: async (path: string) => files.get(path) ?? '{"order_id":"2"}',
    write,
    append: write,
    signal: new AbortController().signal,
  };
  const settings = { TRIBUTARY_URL: server.url, TRIBUTARY_TRACKING_KEY: 'trk', TRIBUTARY_POSTBACK_KEY: 'pbk', ...noApi };
  const given = (words: readonly string[]) => ({ words, flags: { failed: 'failed.jsonl' }, settings, outgoingAllow: [] });
  try {
    expect(await replay.run(given(['a.jsonl']), terminal)).toBe(1);
    expect(lines).toContain('0 accepted, 0 rejected, 1 to send later');
    expect(files.get('a.left.jsonl')).toBe(files.get('a.jsonl'));
    expect(await send.run(given(['reversal', '-']), terminal)).toBe(1);
    expect(files.get('failed.jsonl')).toContain('order_id\\":\\"2');
  } finally {
    server.close();
  }
});
