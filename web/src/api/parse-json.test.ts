import { expect, test } from 'vitest';
import { parseLogLine } from '../features/integration/live-log.ts';
import { formatDollars, sumCents } from '../ui/format.ts';
import { parseJson } from '../../../sdk/src/exact-json.ts';

test('a sum above 2^53 is parsed and shown to the last cent', () => {
  const read = parseJson('{"total_cents":9232379236109516775,"count":2,"rate":0.5}');
  expect(read).toEqual({ total_cents: 9_232_379_236_109_516_775n, count: 2, rate: 0.5 });
  expect(formatDollars(9_232_379_236_109_516_775n)).toBe('92,323,792,361,095,167.75');
  expect(formatDollars(-9_232_379_236_109_516_775n)).toBe('−92,323,792,361,095,167.75');
});

test('a line of the live log keeps every digit of a number above 2^53', () => {
  const line = parseLogLine('{"id":"1","why":{"order_subtotal_cents":92233720368547758079,"limit":9007199254740991},"reply":{}}');
  expect(line.why).toEqual({ order_subtotal_cents: 92_233_720_368_547_758_079n, limit: 9_007_199_254_740_991 });
});

test('amounts that are numbers and amounts that are bigints are added exactly', () => {
  expect(sumCents([9_007_199_254_740_991, 2, 9_232_379_236_109_516_775n])).toBe(9_241_386_435_364_257_768n);
});
