import { afterAll, expect, test } from 'vitest';
import { startTestService } from '../support/service.ts';

const service = await startTestService();
afterAll(() => service.stop());
const world = await service.seed();

const read = (key: string | null) => fetch(`${service.url}/metrics`, { headers: key === null ? {} : { authorization: `Bearer ${key}` } });

test('an operator reads the metrics of the process, and they count a rejected postback', async () => {
  await fetch(`${service.url}/api/partner-network/postbacks/${world.store.tracking_key}/conversions`, { method: 'POST', body: '{}' });
  const answer = await read(world.operator_key);
  expect(answer.headers.get('content-type')).toContain('text/plain');
  const text = await answer.text();
  expect(text).toContain('tributary_process_cpu_seconds_total');
  expect(text).toContain('tributary_postbacks_turned_away_total{reason="missing_postback_key"} 1');
});

test('only operators read the metrics', async () => {
  expect((await read(null)).status).toBe(401);
  expect((await read(world.store.postback_key)).status).toBe(401);
});
