import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { describePostbacks } from '../../src/contract/postback-operations.ts';
import { exampleBodies } from '../../src/contract/postback-operations.ts';
import { isReason, statusOf, type Operation } from '../../src/contract/reasons.ts';
import { openSharedMerchant, type Json } from '../support/merchant.ts';

const merchant = await openSharedMerchant();
const document: Json = await (await fetch(`${merchant.service.url}/openapi.json`)).json();
const operationOf = (path: string): Json => document.paths[path.replace(':trackingKey', '{trackingKey}')].post;

test('the description of a running service is valid, its examples too', async () => {
  const { valid, errors } = await new Validator().validate(document);
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
});

test('each reason of each postback has an example, under its status', () => {
  for (const { path, operationId, reasons } of describePostbacks()) {
    const { responses } = operationOf(path);
    for (const { reason } of reasons) {
      expect(isReason(reason)).toBe(true);
      const status = reasons.find((row) => row.reason === reason)?.status;
      const { value } = responses[String(status)].content['application/json'].examples[reason];
      expect(value, `${operationId} ${reason}`).toMatchObject({ ok: status === 200, reason, message: expect.any(String) });
      expect(Object.keys(value).slice(0, 2)).toEqual(['ok', 'reason']);
      expect('field' in value).toBe(status === 400);
      expect('retry' in value).toBe(status !== 200);
    }
  }
});

test('the example bodies are valid, and their replies have the fields of the examples', async () => {
  const clickId = await merchant.click();
  const second = await merchant.click();
  // Refunds and ends come last, as they do in life.
  const order: ReadonlyArray<readonly [Operation, string]> = [
    ['conversion', 'conversions'],
    ['order_refund', 'v2/orders/refunds'],
    ['reversal', 'reversals'],
    ['relationship', 'v2/recurring/relationships'],
    ['billing_event', 'v2/recurring/billing-events'],
    ['invoice_refund', 'v2/recurring/invoices/refunds'],
    ['invoice_reversal', 'v2/recurring/reversals'],
    ['relationship_end', 'v2/recurring/relationships/end'],
    ['lead', 'v2/leads'],
    ['lead_reversal', 'v2/leads/reversals'],
  ];
  for (const [operation, path] of order) {
    const example = exampleBodies[operation];
    const body = {
      ...example,
      ...('click_id' in example ? { click_id: operation === 'conversion' ? clickId : second } : {}),
      ...('occurred_at' in example ? { occurred_at: merchant.at() } : {}),
    };
    const { status, json } = await merchant.post(path, body);
    expect([operation, status, json.reason]).toEqual([operation, statusOf('recorded', operation), 'recorded']);
    const described = describePostbacks().find((one) => one.path.endsWith(`/${path}`));
    const shown = described?.reasons.find(({ reason }) => reason === 'recorded')?.example ?? {};
    expect([operation, Object.keys(json)]).toEqual([operation, Object.keys(shown)]);
  }
});
