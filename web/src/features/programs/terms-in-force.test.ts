import { expect, test } from 'vitest';
import type { Terms } from '../../../../sdk/src/api-schema.ts';
import { nowOrLastCreation, versionInForce } from './terms-in-force.ts';

const settings = {
  attribution_days: 30,
  hold_days: 30,
  approval: 'manual',
  auto_approve_days: null,
  codes: 'off',
  returning: null,
  leads: [],
} as const;

const version = (number: number, from: string, madeAt = '2026-01-01T00:00:00.000Z'): Terms => ({
  ...settings,
  version: number,
  effective_from: from,
  made_at: madeAt,
  pays: 'order',
  order_rules: [],
  subscription_rules: [],
});

test('the version in force is the latest started one, and of two with the same start the later one', () => {
  const versions = [version(1, '2026-01-01T00:00:00.000Z'), version(2, '2026-03-01T00:00:00.000Z'), version(3, '2026-03-01T00:00:00.000Z')];
  expect(versionInForce(versions, new Date('2025-12-31T00:00:00Z'))).toBeNull();
  expect(versionInForce(versions, new Date('2026-02-01T00:00:00Z'))?.version).toBe(1);
  expect(versionInForce(versions, new Date('2026-03-01T00:00:00Z'))?.version).toBe(3);
});

test('a version that was just created has started, even when the viewer’s clock is behind', () => {
  const made = version(1, '2026-03-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z');
  const now = nowOrLastCreation(new Date('2026-02-28T00:00:00Z'), [made]);
  expect(versionInForce([made], now)?.version).toBe(1);
});
