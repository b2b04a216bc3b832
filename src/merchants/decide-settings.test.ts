import { expect, test } from 'vitest';
import { decideSettings, versionsForNewSettings, type SettingsChange } from './decide-settings.ts';
import { cents } from '../core/money.ts';
import { clicksOnly, type AttributionTerms, type Terms, type TermsSettings } from './terms.ts';

const byHand: TermsSettings = { attributionDays: 30, holdDays: 14, approval: { by: 'hand' } };
const byTime: TermsSettings = { ...byHand, approval: { by: 'time', afterDays: 5 } };

test.each<[what: string, former: TermsSettings, change: SettingsChange, settings: TermsSettings]>([
  ['keeps settings that are not given', byHand, { holdDays: 0 }, { ...byHand, holdDays: 0 }],
  ['stores the days of automatic approval', byHand, { approval: 'auto', autoApproveDays: 5 }, byTime],
  ['changes the days alone', byTime, { autoApproveDays: 9 }, { ...byTime, approval: { by: 'time', afterDays: 9 } }],
  ['removes the days when approval becomes manual', byTime, { approval: 'manual' }, byHand],
])('%s', (_what, former, change, settings) => {
  expect(decideSettings(former, change)).toEqual({ do: 'change', settings });
});

test.each<[what: string, former: TermsSettings, change: SettingsChange]>([
  ['rejects automatic approval without days', byHand, { approval: 'auto' }],
  ['rejects null days with automatic approval', byTime, { autoApproveDays: null }],
  ['rejects days without automatic approval', byHand, { autoApproveDays: 5 }],
  ['rejects days together with manual approval', byTime, { approval: 'manual', autoApproveDays: 5 }],
])('%s', (_what, former, change) => {
  expect(decideSettings(former, change)).toMatchObject({ do: 'refuse', fieldError: { field: 'auto_approve_days' } });
});

test.each<[TermsSettings, SettingsChange]>([
  [byHand, {}],
  [byHand, { attributionDays: 30, holdDays: 14, approval: 'manual', autoApproveDays: null }],
  [byTime, { approval: 'auto' }],
])('adds no version if nothing changes', (former, change) => {
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
  attribution: clicksOnly,
});

const nextVersions = (versions: readonly Terms[]) =>
  versionsForNewSettings(versions, now).map(({ effectiveFrom, subscriptionRules }) => [
    effectiveFrom.getUTCDate(),
    subscriptionRules[0]?.productId,
  ]);

test('new settings take effect immediately with the current rules', () => {
  expect(nextVersions([version(1, day(1)), version(2, day(5))])).toEqual([[10, 'rules of 2']]);
});

test('a scheduled version is added again with the new settings, so that it does not restore the former ones', () => {
  expect(nextVersions([version(1, day(1)), version(2, day(20)), version(3, day(15))])).toEqual([
    [10, 'rules of 1'],
    [15, 'rules of 3'],
    [20, 'rules of 2'],
  ]);
});

test('of two versions scheduled for the same time, only the later-created one is added again', () => {
  expect(nextVersions([version(1, day(1)), version(2, day(20)), version(3, day(20))])).toEqual([
    [10, 'rules of 1'],
    [20, 'rules of 3'],
  ]);
});

test('a change of settings starts no version if none has taken effect', () => {
  expect(nextVersions([version(1, day(20))])).toEqual([[20, 'rules of 1']]);
  expect(nextVersions([])).toEqual([]);
});

test('new settings keep what the terms say about codes, returning customers, and leads', () => {
  const attribution: AttributionTerms = {
    codes: 'before_click',
    returning: { days: 90, ordersMax: 3, newClick: 'first_partner' },
    leads: [{ kind: 'trial', amount: cents(500), perMonthMax: 10 }],
  };
  expect(versionsForNewSettings([{ ...version(1, day(1)), attribution }], now)).toMatchObject([{ attribution }]);
});
