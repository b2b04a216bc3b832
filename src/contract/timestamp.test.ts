import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isOlderThanDays, isTooFarAhead, parseTime, readTimestamp } from './timestamp.ts';

const readable: ReadonlyArray<readonly [sent: string, meant: string]> = [
  ['2026-03-01T12:00:00Z', '2026-03-01T12:00:00.000Z'],
  ['2026-03-01T12:00:00.1Z', '2026-03-01T12:00:00.100Z'],
  ['2026-03-01T12:00:00.123Z', '2026-03-01T12:00:00.123Z'],
  ['2026-03-01T12:00:00.1239Z', '2026-03-01T12:00:00.123Z'],
  ['2026-03-01T12:00:00.999999999Z', '2026-03-01T12:00:00.999Z'],
  ['2026-03-01T12:00:00+00:00', '2026-03-01T12:00:00.000Z'],
  ['2026-03-01T12:00:00-00:00', '2026-03-01T12:00:00.000Z'],
  ['2026-03-01T12:00:00+05:30', '2026-03-01T06:30:00.000Z'],
  ['2026-03-01T00:00:00.5+14:00', '2026-02-28T10:00:00.500Z'],
  ['2026-12-31T23:59:59.999-00:01', '2027-01-01T00:00:59.999Z'],
  ['2026-03-01T12:00:00+23:59', '2026-02-28T12:01:00.000Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
  ['0000-02-29T00:00:00Z', '0000-02-29T00:00:00.000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ['0099-12-31T23:59:59Z', '0099-12-31T23:59:59.000Z'],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
];
for (const [sent, meant] of readable) test(`${sent} is ${meant}`, () => expect(readTimestamp(sent)).toEqual(new Date(meant)));

const unreadable = [
  '',
  'now',
  '1772366400',
  '2026-03-01',
  '2026-03-01T12:00Z',
  '2026-03-01T12:00:00',
  '2026-03-01 12:00:00Z',
  '2026-03-01t12:00:00Z',
  '2026-03-01T12:00:00z',
  ' 2026-03-01T12:00:00Z',
  '2026-03-01T12:00:00Z ',
  '2026-03-01T12:00:00Z\n',
  '20260301T120000Z',
  '2026-060T12:00:00Z',
  '2026-03-01T12:00:00.Z',
  '2026-03-01T12:00:00.1234567890Z',
  '2026-03-01T12:00:00,5Z',
  '2026-03-01T12:00:00+0530',
  '2026-03-01T12:00:00+05',
  '2026-03-01T12:00:00+24:00',
  '2026-03-01T12:00:00+05:60',
  '2026-03-01T12:00:00 +05:00',
  '2026-03-01T12:00:00Z+01:00',
  '2026-3-1T12:00:00Z',
  '2026-00-01T12:00:00Z',
  '2026-13-01T12:00:00Z',
  '2026-03-00T12:00:00Z',
  '2026-03-32T12:00:00Z',
  '2026-04-31T12:00:00Z',
  '2026-02-30T12:00:00Z',
  '2026-02-29T12:00:00Z',
  '1900-02-29T12:00:00Z',
  '2026-03-01T24:00:00Z',
  '2026-03-01T12:60:00Z',
  '2026-06-30T23:59:60Z',
  '+002026-03-01T12:00:00Z',
  '２０２６-03-01T12:00:00Z',
  '-2026-03-01T12:00:00Z',
  '12026-03-01T12:00:00Z',
  '2026-03-01T12:00:00.٣Z',
];
for (const sent of unreadable) test(`${JSON.stringify(sent)} cannot be read`, () => expect(readTimestamp(sent)).toBe('unreadable'));

const anyTime = fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true });

test('what Date writes is read back to the millisecond', () => {
  fc.assert(fc.property(anyTime, (time) => void expect(readTimestamp(time.toISOString())).toEqual(time)));
});

test('the same moment is read from every offset', () => {
  const offset = fc.record({ minutes: fc.integer({ min: 0, max: 1_439 }), isEast: fc.boolean() });
  fc.assert(
    fc.property(anyTime, offset, (time, { minutes, isEast }) => {
      const local = new Date(time.getTime() + (isEast ? minutes : -minutes) * 60_000).toISOString();
      if (!/^\d{4}-/.test(local)) return;
      const two = (number: number) => String(number).padStart(2, '0');
      const sent = `${local.slice(0, -1)}${isEast ? '+' : '-'}${two(Math.trunc(minutes / 60))}:${two(minutes % 60)}`;
      expect(readTimestamp(sent)).toEqual(time);
    }),
  );
});

test('whatever is read is a moment that Date.parse finds too', () => {
  const part = (max: number) => fc.integer({ min: 0, max }).map((number) => String(number).padStart(2, '0'));
  const sent = fc
    .tuple(part(13), part(32), part(25), part(61), part(61))
    .map(([month, day, hour, minute, second]) => `2027-${month}-${day}T${hour}:${minute}:${second}Z`);
  fc.assert(
    fc.property(sent, (text) => {
      const time = readTimestamp(text);
      if (time !== 'unreadable') expect(time.toISOString().slice(0, 19)).toBe(text.slice(0, 19));
    }),
  );
});

test('limits are inclusive, to the millisecond', () => {
  const now = new Date('2026-03-01T12:00:00Z');
  const after = (ms: number) => new Date(now.getTime() + ms);
  expect([isTooFarAhead(after(300_000), now), isTooFarAhead(after(300_001), now)]).toEqual([false, true]);
  const days = 37 * 86_400_000;
  expect([isOlderThanDays(after(-days), { now, daysMax: 37 }), isOlderThanDays(after(-days - 1), { now, daysMax: 37 })]).toEqual([
    false,
    true,
  ]);
});

const queryTimes: ReadonlyArray<readonly [text: string | undefined, read: Date | 'unreadable' | null]> = [
  [undefined, null],
  ['2026-03-01T14:00:00+02:00', new Date('2026-03-01T12:00:00Z')],
  ['0001-01-01T00:00:00Z', new Date('0001-01-01T00:00:00Z')],
  ['9999-12-31T23:59:59.999Z', new Date('9999-12-31T23:59:59.999Z')],
  ['0000-12-31T23:59:59Z', 'unreadable'],
  ['0001-01-01T00:00:00+00:01', 'unreadable'],
  ['9999-12-31T23:59:59-05:00', 'unreadable'],
  ['yesterday', 'unreadable'],
];
test.each(queryTimes)('a question about %s asks the database only what it can read', (text, read) => {
  expect(parseTime(text)).toEqual(read);
});
