import { expect, test } from 'vitest';
import { inOrder, type Moment } from './conversion-moment.ts';

const moment = (key: string, at: string): Moment => ({ key, at, title: key });
const keys = (moments: readonly Moment[]) => inOrder(moments).map(({ key }) => key);

test('moments are shown earliest first, and those of one time in the order of cause and effect', () => {
  const noon = '2026-03-01T12:00:00.000Z';
  const given = [moment('order', noon), moment('report', noon), moment('approved', noon), moment('click', '2026-03-01T11:59:59.999Z')];
  expect(keys(given)).toEqual(['click', 'order', 'report', 'approved']);
});
