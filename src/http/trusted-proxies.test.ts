import { expect, test } from 'vitest';
import { createProxyCheck } from './trusted-proxies.ts';

test.each([
  ['127.0.0.1', ['127.0.0.1'], true],
  ['::ffff:127.0.0.1', ['127.0.0.1'], true],
  ['10.1.2.3', ['10.0.0.0/8'], true],
  ['::ffff:10.1.2.3', ['10.0.0.0/8'], true],
  ['11.1.2.3', ['10.0.0.0/8'], false],
  ['fd00::7', ['fd00::/8'], true],
  ['fe00::7', ['fd00::/8'], false],
  ['::1', ['127.0.0.1'], false],
  ['127.0.0.1', [], false],
  ['not an address', ['127.0.0.1'], false],
  [undefined, ['127.0.0.1'], false],
])('a connection from %s with the trusted proxies %j: %s', (address, trusted, isTrusted) => {
  expect(createProxyCheck(trusted)(address)).toBe(isTrusted);
});
