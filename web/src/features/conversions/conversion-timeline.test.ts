import { expect, test } from 'vitest';
import { sortEvents, type TimelineEvent } from './conversion-timeline.tsx';

const moment = (key: string, at: string): TimelineEvent => ({ key, at, title: key });
const keys = (moments: readonly TimelineEvent[]) => sortEvents(moments).map(({ key }) => key);

test('events are sorted earliest first, and those of one time by cause and effect', () => {
  const noon = '2026-03-01T12:00:00.000Z';
  const given = [moment('order', noon), moment('report', noon), moment('approved', noon), moment('click', '2026-03-01T11:59:59.999Z')];
  expect(keys(given)).toEqual(['click', 'order', 'report', 'approved']);
});
