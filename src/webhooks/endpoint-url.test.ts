import { expect, test } from 'vitest';
import { readEndpointUrl } from './endpoint-url.ts';

const allow = ['localhost:9000', '10.0.0.7:443'];

test.each([
  ['https://shop.example/webhooks?a=1#part', 'https://shop.example/webhooks?a=1'],
  ['http://localhost:9000/hook', 'http://localhost:9000/hook'],
  ['https://10.0.0.7/hook', 'https://10.0.0.7/hook'],
])('%s can be an endpoint', (text, href) => {
  expect(readEndpointUrl(text, allow)).toEqual({ is: 'good', href });
});

test.each([
  ['shop.example/webhooks', 'must be a whole address'],
  ['http://shop.example/webhooks', 'must begin with https://'],
  ['http://localhost:9001/hook', 'must begin with https://'],
  ['ftp://localhost:9000/hook', 'must begin with https://'],
  ['https://name:word@shop.example/', 'must not carry a name'],
  ['https://127.0.0.1/', 'public internet'],
  ['https://[::1]/', 'public internet'],
  ['https://2130706433/', 'public internet'],
  [`https://shop.example/${'a'.repeat(2_000)}`, 'at most'],
])('%s cannot be an endpoint', (text, message) => {
  expect(readEndpointUrl(text, allow)).toMatchObject({ is: 'wrong', message: expect.stringContaining(message) });
});
