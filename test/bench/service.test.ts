import { expect, test } from 'vitest';
import { measureService } from '../../bench/service.ts';

test('the benchmark measures what a start, an idle service, and the first page of a dashboard need', async () => {
  const measured = new Map((await measureService(1)).map(({ what, values }) => [what, values]));
  const what = [
    'capture script, packed by gzip',
    'dashboard, first load, packed by gzip',
    'dashboard, until a person can type',
    '`npm start` on a folder in use, until ready',
    ...(process.platform === 'linux' ? ['memory of the service after 10 idle seconds'] : []),
  ];
  expect([...measured.keys()]).toEqual(what);
  for (const values of measured.values()) expect(values).toEqual([expect.any(Number)]);
  expect(Math.min(...[...measured.values()].flat())).toBeGreaterThan(0);
}, 120_000);
