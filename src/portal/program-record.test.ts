import { expect, test } from 'vitest';
import { newId } from '../core/ids.ts';
import { hourMs } from '../core/time.ts';
import type { DecidedCommission } from './program-record-sql.ts';
import { decidedMin, programRecord } from './program-record.ts';

const recordedAt = new Date('2026-03-01T12:00:00.000Z');
const decided = (action: DecidedCommission['action'], hours: number): DecidedCommission => ({
  commissionId: newId<'com'>(recordedAt),
  action,
  decidedAt: new Date(recordedAt.getTime() + hours * hourMs),
  recordedAt,
});

test('reports the median approval time, so that a single late approval does not change it', () => {
  const hours = [1, 2, 3, 4, 5_000];
  expect(programRecord(hours.map((one) => decided('approve', one)))).toEqual({ decided: 5, medianApprovalHours: 3, refusedBasisPoints: 0 });
  expect(programRecord([...hours, 6].map((one) => decided('approve', one))).medianApprovalHours).toBe(4);
});

test('counts rejections in the rate but not in the time', () => {
  const decisions = [decided('reject', 900), ...[1, 2, 3].map((one) => decided('approve', one))];
  expect(programRecord([...decisions, decided('reject', 900)])).toEqual({ decided: 5, medianApprovalHours: 2, refusedBasisPoints: 4_000 });
});

test('counts only the latest decision of a commission', () => {
  const first = decided('approve', 1);
  const others = [2, 3, 4, 5].map((one) => decided('approve', one));
  const then: DecidedCommission = { ...first, action: 'reject' };
  expect(programRecord([then, ...others, first])).toMatchObject({ decided: 5, refusedBasisPoints: 2_000 });
});

test('reports nothing for too few decisions', () => {
  const few = Array.from({ length: decidedMin - 1 }, () => decided('reject', 1));
  expect(programRecord(few)).toEqual({ decided: decidedMin - 1, medianApprovalHours: null, refusedBasisPoints: null });
});
