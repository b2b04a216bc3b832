import { expect, test } from 'vitest';
import { ownAddressOf } from './own-address.ts';

test.each([
  ['127.0.0.1', 'http://127.0.0.1:3000'],
  ['0.0.0.0', 'http://127.0.0.1:3000'],
  ['::', 'http://[::1]:3000'],
  ['10.0.0.7', 'http://10.0.0.7:3000'],
  ['fd00::7', 'http://[fd00::7]:3000'],
  ['localhost', 'http://localhost:3000'],
])('what listens on %s is reached from itself at %s', (host, url) => {
  expect(ownAddressOf({ host, port: 3000 }).url).toBe(url);
});
