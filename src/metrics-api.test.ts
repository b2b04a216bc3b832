import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMetrics } from './metrics-api.ts';
import type { Queryable } from './platform/database/database.ts';
import { createMetrics } from './platform/metrics.ts';

/** What nobody heard of: it would have ended the process. */
const unheard: unknown[] = [];
const hear = (fault: unknown) => void unheard.push(fault);
beforeAll(() => void process.on('unhandledRejection', hear));
afterAll(() => void process.off('unhandledRejection', hear));

test('a question to the database that fails while this machine looks at itself ends the request, and not the process', async () => {
  const fails = () => Promise.reject(new Error('no such column'));
  const db: Queryable = { all: fails, find: fails, one: fails, run: fails };
  const platform = { metrics: createMetrics(), config: { mode: 'sandbox', role: 'all', dataDir: tmpdir() } };
  const reading = readMetrics([]).handle({ platform, db, now: new Date() } as never);
  await expect(reading).rejects.toThrow('no such column');
  expect(unheard).toEqual([]);
});
