import { expect, test } from 'vitest';
import { recoverySyncFor } from './server.ts';

test.each([
  ['linux', '6.18.44-generic', true],
  ['linux', '5.8.0', true],
  ['linux', '5.10.0-28-amd64', true],
  ['linux', '5.7.19', false],
  ['linux', '4.18.0-553.el8', false],
  ['linux', 'unknown', false],
  ['darwin', '24.1.0', false],
])('on %s %s, PostgreSQL writes its folder to disk with one call after a crash: %s', (system, version, isOneCall) => {
  expect(recoverySyncFor(system, version)).toEqual(isOneCall ? { recovery_init_sync_method: 'syncfs' } : {});
});
