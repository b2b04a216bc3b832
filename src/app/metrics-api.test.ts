import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMetrics } from './metrics-api.ts';
import type { Queryable } from '../db/database.ts';
import { createMetrics } from '../metrics/metrics.ts';

/** Unhandled rejections, which would end the process. */
const unhandled: unknown[] = [];
const onUnhandled = (error: unknown) => void unhandled.push(error);
beforeAll(() => void process.on('unhandledRejection', onUnhandled));
afterAll(() => void process.off('unhandledRejection', onUnhandled));

test('a database query that fails while the disk is examined fails the request, not the process', async () => {
  const fails = () => Promise.reject(new Error('no such column'));
  const db: Queryable = { all: fails, find: fails, one: fails, run: fails };
  const platform = { metrics: createMetrics(), config: { mode: 'sandbox', role: 'all', dataDir: tmpdir() } };
  const reading = readMetrics([]).handle({ platform, db, now: new Date() } as never);
  await expect(reading).rejects.toThrow('no such column');
  expect(unhandled).toEqual([]);
});
