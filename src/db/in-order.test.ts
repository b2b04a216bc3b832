import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inOrder } from './in-order.ts';

const failing = async (afterMs: number, message: string) => {
  await pause(afterMs);
  throw new Error(message);
};

test('returns the results in the order of the statements', async () => {
  expect(await inOrder([pause(5, 1), 'two', pause(1, 3)])).toEqual([1, 'two', 3]);
});

test('throws the failure of the earliest statement, even if a later one fails sooner', async () => {
  await expect(inOrder([pause(1, 'good'), failing(10, 'the cause'), failing(1, 'the transaction is aborted')])).rejects.toThrow(
    'the cause',
  );
});
