import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { createCrashPoints } from './crash-points.ts';

test('reaching a crash point does nothing unless a test listens', () => {
  const { reached, crashPoints } = createCrashPoints(null);
  expect(reached('charge answered')).toBeUndefined();
  const reachedPoints: string[] = [];
  crashPoints.onReached = (point) => {
    reachedPoints.push(point);
    throw new Error('a crash');
  };
  expect(() => reached('charge sent')).toThrow('a crash');
  expect(reachedPoints).toEqual(['charge sent']);
});

test('a copied platform calls the same listener', () => {
  const platform = { ...createCrashPoints(null) };
  const copy = { ...platform };
  const reachedPoints: string[] = [];
  platform.crashPoints.onReached = (point) => void reachedPoints.push(point);
  copy.reached('charge sent');
  expect(reachedPoints).toEqual(['charge sent']);
});

test('kills the process the n-th time it reaches the crash point', () => {
  const program = `
    import { writeSync } from 'node:fs';
    import { createCrashPoints } from ${JSON.stringify(new URL('./crash-points.ts', import.meta.url).href)};
    const { reached } = createCrashPoints({ point: 'charge sent', time: 2 });
    process.on('exit', () => writeSync(1, 'exit '));
    for (const point of ['charge sent', 'charge answered', 'charge answered', 'charge sent', 'charge answered']) {
      reached(point);
      writeSync(1, point + ', ');
    }`;
  const { signal, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  expect(signal).toBe('SIGKILL');
  expect(stdout).toBe('charge sent, charge answered, charge answered, ');
});
