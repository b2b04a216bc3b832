import { expect, test } from 'vitest';
import { decideSettings, versionsForNewSettings, type SettingsChange } from './decide-settings.ts';
import { cents } from '../platform/money.ts';
import type { Terms, TermsSettings } from './terms.ts';

const byHand: TermsSettings = { attributionDays: 30, holdDays: 14, approval: { by: 'hand' } };
const byTime: TermsSettings = { ...byHand, approval: { by: 'time', afterDays: 5 } };

test.each<[what: string, former: TermsSettings, change: SettingsChange, settings: TermsSettings]>([
  ['what is not said stays', byHand, { holdDays: 0 }, { ...byHand, holdDays: 0 }],
  ['automatic approval has its days', byHand, { approval: 'auto', autoApproveDays: 5 }, byTime],
  ['the days alone can change', byTime, { autoApproveDays: 9 }, { ...byTime, approval: { by: 'time', afterDays: 9 } }],
  ['by hand again, the days are gone', byTime, { approval: 'manual' }, byHand],
])('%s', (_what, former, change, settings) => {
  expect(decideSettings(former, change)).toEqual({ do: 'change', settings });
});

test.each<[what: string, former: TermsSettings, change: SettingsChange]>([
  ['automatic approval without days is refused', byHand, { approval: 'auto' }],
  ['automatic approval cannot lose its days', byTime, { autoApproveDays: null }],
  ['days without automatic approval are refused', byHand, { autoApproveDays: 5 }],
  ['days together with approval by hand are refused', byTime, { approval: 'manual', autoApproveDays: 5 }],
])('%s', (_what, former, change) => {
  expect(decideSettings(former, change)).toMatchObject({ do: 'refuse', fault: { field: 'auto_approve_days' } });
});

test.each<[TermsSettings, SettingsChange]>([
  [byHand, {}],
  [byHand, { attributionDays: 30, holdDays: 14, approval: 'manual', autoApproveDays: null }],
  [byTime, { approval: 'auto' }],
])('what is so already is kept: no new version', (former, change) => {
  expect(decideSettings(former, change)).toEqual({ do: 'keep' });
});

const now = new Date('2026-03-10T00:00:00.000Z');
const day = (date: number) => new Date(Date.UTC(2026, 2, date));
const version = (number: number, effectiveFrom: Date): Terms => ({
  ...byHand,
  version: number,
  effectiveFrom,
  madeAt: day(1),
  pays: number % 2 === 0 ? 'product' : 'order',
  orderRules: [],
  subscriptionRules: [
    { productId: `rules of ${number}`, priceId: null, rate: { is: 'flat', cents: cents(0) }, maxInvoices: null, maxMonths: 12 },
  ],
});

const told = (versions: readonly Terms[]) =>
  versionsForNewSettings(versions, now).map(({ effectiveFrom, subscriptionRules }) => [
    effectiveFrom.getUTCDate(),
    subscriptionRules[0]?.productId,
  ]);

test('new settings hold from now on, with the rules in force', () => {
  expect(told([version(1, day(1)), version(2, day(5))])).toEqual([[10, 'rules of 2']]);
});

test('a version that waits for its day is made again, or it would bring the former settings back', () => {
  expect(told([version(1, day(1)), version(2, day(20)), version(3, day(15))])).toEqual([
    [10, 'rules of 1'],
    [15, 'rules of 3'],
    [20, 'rules of 2'],
  ]);
});

test('of two that wait for the same moment only the one that would hold is made again', () => {
  expect(told([version(1, day(1)), version(2, day(20)), version(3, day(20))])).toEqual([
    [10, 'rules of 1'],
    [20, 'rules of 3'],
  ]);
});

test('where no version has begun, none begins by a change of settings', () => {
  expect(told([version(1, day(20))])).toEqual([[20, 'rules of 1']]);
  expect(told([])).toEqual([]);
});
