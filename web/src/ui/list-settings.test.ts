import { expect, test } from 'vitest';
import { listNameOf, readSettings, readViews } from './list-settings.ts';

test('the same list of two stores has one name, and other lists have other names', () => {
  expect(listNameOf('/stores/store_01abc/commissions')).toBe(listNameOf('/stores/store_02xyz/commissions'));
  expect(listNameOf('/creators/crt_01abc/commissions')).not.toBe(listNameOf('/stores/store_01abc/commissions'));
});

test.each([null, 7, 'text', [], { hiddenColumns: 'all', isCompact: 'yes' }])('reads the usual settings from %j', (stored) => {
  expect(readSettings(stored)).toEqual({ hiddenColumns: [], isCompact: false, hasFullCards: false });
});

test('reads stored settings', () => {
  const settings = { hiddenColumns: ['Date'], isCompact: true, hasFullCards: true };
  expect(readSettings(JSON.parse(JSON.stringify(settings)))).toEqual(settings);
});

test('drops what is not a view', () => {
  const view = { name: 'Large', search: { state: 'pending' }, hiddenColumns: ['Date'] };
  expect(readViews([view, { name: 3 }, null, { ...view, search: { state: 'paid', page: 4 } }])).toEqual([
    view,
    { ...view, search: { state: 'paid' } },
  ]);
  expect(readViews('none')).toEqual([]);
});
