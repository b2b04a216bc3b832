import { expect, test } from 'vitest';
import { apiPath, withQuery } from './operations.ts';

test('a path has its parameters, URL-encoded, and the query parameters that are set', () => {
  expect(apiPath('/stores/{store}/team/{user}', { store: 'store_1', user: 'a/b' })).toBe('/stores/store_1/team/a%2Fb');
  expect(apiPath('/stores/{store}/invoices', { store: 'store_1' }, { state: 'a&b=ü %', to: undefined, from: '', limit: 50 })).toBe(
    '/stores/store_1/invoices?state=a%26b%3D%C3%BC+%25&limit=50',
  );
});

test('a cursor is added to a path with or without a query', () => {
  expect(withQuery('/list', { cursor: undefined })).toBe('/list');
  expect(withQuery('/list', { cursor: 'a?b' })).toBe('/list?cursor=a%3Fb');
  expect(withQuery('/list?state=open', { cursor: 'a?b' })).toBe('/list?state=open&cursor=a%3Fb');
});

test('the compiler rejects unknown paths, missing parameters, and misspelled query parameters', () => {
  const store = 'store_1';
  // @ts-expect-error The path does not exist.
  expect(apiPath('/stores/{store}/bills', { store })).toBe('/stores/store_1/bills');
  // @ts-expect-error The store is missing.
  expect(apiPath('/stores/{store}/invoices', {})).toBe('/stores//invoices');
  // @ts-expect-error It is called state.
  expect(apiPath('/stores/{store}/invoices', { store }, { stat: 'paid' })).toBe('/stores/store_1/invoices?stat=paid');
});
