import { expect, test } from 'vitest';
import { readShop } from './shop-name.ts';
import { isSignedQuery, isSignedWebhook } from './signatures.ts';

// `utils.validateHmac` of @shopify/shopify-api 15.0.0 accepts the query. The header of the webhook was computed with node:crypto.
const secret = 'shpss_vectorOfTheTests';
const query =
  'code=0907a61c0c8d55e99db179b68161bc00&host=YWRtaW4uc2hvcGlmeS5jb20&shop=some-shop.myshopify.com&state=store_0.a%20b%2Bc%2Fd' +
  '&timestamp=1700000000&hmac=4939b205db166fdb702cadbfbdeb00e72593e4aed480db796762852f926d3370';
const raw = '{"id":820982911946154508,"note":"café"}';
const header = '69s6kWf4+36OzzZ2FzNtESgK7BGhi5jnzDZf3mNcILU=';
// Of a test of the same package, with its own secret.
const theirs = { raw: '{"foo": "bar"}', secret: 'test_secret_key', header: 'B23tXN681gZ0qIWNRrgtzBE9XSDo5yaUu6wfmhu3a7g=' };

test.each<[what: string, query: string, secret: string, isSigned: boolean]>([
  ['as Shopify signs it', query, secret, true],
  ['in another order', query.split('&').toReversed().join('&'), secret, true],
  ['with another parameter', `${query}&extra=1`, secret, false],
  ['with another shop', query.replace('some-shop', 'evil-shop'), secret, false],
  ['with the secret of another app', query, 'shpss_other', false],
  ['without a signature', query.replace(/&hmac=.*/, ''), secret, false],
  ['with a signature that is cut', query.slice(0, -2), secret, false],
])('a callback %s', (_what, text, key, isSigned) => expect(isSignedQuery(new URLSearchParams(text), key)).toBe(isSigned));

test.each<[what: string, bytes: string, signature: string, key: string, isSigned: boolean]>([
  ['as Shopify signs it', raw, header, secret, true],
  ['of the tests of Shopify’s package', theirs.raw, theirs.header, theirs.secret, true],
  ['with another byte', `${raw} `, header, secret, false],
  ['that was parsed and serialized', JSON.stringify(JSON.parse(theirs.raw)), theirs.header, theirs.secret, false],
  ['of another app', raw, header, 'shpss_other', false],
  ['with an empty signature', raw, '', secret, false],
  ['with a signature in hexadecimal', raw, Buffer.from(header, 'base64').toString('hex'), secret, false],
])('a webhook %s', (_what, bytes, signature, key, isSigned) => {
  expect(isSignedWebhook(Buffer.from(bytes), signature, key)).toBe(isSigned);
});

test.each([
  ['a-store.myshopify.com', 'a-store.myshopify.com'],
  [' A-Store.myshopify.com ', 'a-store.myshopify.com'],
  ['a-store.com', null],
  ['a-store.myshopify.com.evil.example', null],
  ['evil.example/a-store.myshopify.com', null],
  ['a-store.myshopify.com:8080', null],
  ['user@a-store.myshopify.com', null],
  ['-a.myshopify.com', null],
  ['.myshopify.com', null],
  ['', null],
])('the shop %s', (text, shop) => expect(readShop(text)).toBe(shop));
