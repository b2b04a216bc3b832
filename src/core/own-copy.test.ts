import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { ownCopy } from './own-copy.ts';

const lengthOfText = 100_000;
const texts = 500;

test('a copy does not keep the text that it was cut from', () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const heldBy = (keep: (slice: string) => string) => {
    collect();
    const before = process.memoryUsage().heapUsed;
    const kept = Array.from({ length: texts }, (_, at) => keep(`${at} `.padEnd(lengthOfText, 'x').slice(0, 20)));
    collect();
    const held = process.memoryUsage().heapUsed - before;
    expect(kept[7]).toBe('7 xxxxxxxxxxxxxxxxxx');
    return held;
  };
  const all = lengthOfText * texts;
  expect(heldBy((slice) => slice)).toBeGreaterThan(all * 0.9);
  expect(heldBy(ownCopy)).toBeLessThan(all * 0.1);
});
