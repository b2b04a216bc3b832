import { expect, test } from 'vitest';
import { isCrossSite, type RequestOrigin } from './cross-site.ts';

const baseUrl = 'https://partners.example';
const quiet: RequestOrigin = { method: 'POST', secFetchSite: undefined, origin: undefined, host: 'partners.example' };

test.each<[isRefused: boolean, what: string, said: Partial<RequestOrigin>]>([
  [false, 'a program without these headers', {}],
  [false, 'our own page', { secFetchSite: 'same-origin', origin: baseUrl }],
  [false, 'our own page in a browser without Sec-Fetch-Site', { origin: baseUrl }],
  [false, 'our own page under the host name it was opened with', { origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000' }],
  [false, 'a read from anywhere', { method: 'GET', secFetchSite: 'cross-site', origin: 'https://evil.example' }],
  [true, 'another site', { secFetchSite: 'cross-site', origin: 'https://evil.example' }],
  [true, 'another host of the same domain', { secFetchSite: 'same-site', origin: 'https://blog.partners.example' }],
  [true, 'a request that no page made', { secFetchSite: 'none' }],
  [true, 'another site in a browser without Sec-Fetch-Site', { origin: 'https://evil.example' }],
  [true, 'a sandboxed frame', { origin: 'null' }],
  [true, 'our host on another port', { origin: 'https://partners.example:8443' }],
  [true, 'a malformed origin', { origin: 'partners.example' }],
  [true, 'a request without a host from another origin', { origin: 'https://evil.example', host: undefined }],
  [true, 'a browser that names our origin but says the request is not ours', { secFetchSite: 'cross-site', origin: baseUrl }],
])('refused: %s for %s', (isRefused, _what, said) => {
  expect(isCrossSite({ ...quiet, ...said }, baseUrl)).toBe(isRefused);
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s from another site is refused', (method) => {
  expect(isCrossSite({ ...quiet, method, secFetchSite: 'cross-site' }, baseUrl)).toBe(true);
});
