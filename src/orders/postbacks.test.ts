import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Outcome } from '../contract/reply.ts';
import { newId } from '../core/ids.ts';
import { keysOf, settledKeys } from './postbacks.ts';
import type { Item, ReversalItem } from './record-orders.ts';

const at = new Date('2026-03-01T12:00:00.000Z');
const refund: ReversalItem = {
  is: 'reversal',
  report: { orderId: '1', reason: null, occurredAt: null, content: {} },
  orderHash: hash('sha256', '1', 'buffer'),
  postback: {
    operation: 'reversal',
    integration: { storeId: newId(at), postbackKeyId: newId(at) },
    requestId: '',
    receivedAt: at,
    fields: {},
    origin: null,
    secFetchSite: null,
    json: {},
    bytes: Buffer.alloc(0),
    startedAt: 0,
  },
};
const [orderKey, reversalKey] = keysOf(refund);
const real = { transaction_id: 'ord_1', conversion_id: 'com_1' };

test.each<readonly [string, Item, Outcome, ReadonlyArray<string | undefined>]>([
  ['the refund of an order', refund, { reason: 'recorded', ids: real }, [orderKey, reversalKey]],
  ['a repeated refund', refund, { reason: 'duplicate_order', ids: real }, [orderKey, reversalKey]],
  ['a refund with other content', refund, { reason: 'duplicate_order_conflict' }, [orderKey, reversalKey]],
  ['the refund of a test order', refund, { reason: 'recorded', ids: { transaction_id: 'ord_1' } }, []],
  ['the refund of an unknown order', refund, { reason: 'unknown_order' }, []],
])('%s settles only keys whose state is final', (_what, item, outcome, keys) => {
  expect(settledKeys(item, outcome)).toEqual(keys);
});
