import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { openFaultPoints } from './fault-points.ts';

test('reaching a point does nothing, unless somebody listens', () => {
  const { reached, faultPoints } = openFaultPoints(null);
  expect(reached('charge answered')).toBeUndefined();
  const heard: string[] = [];
  faultPoints.onReached = (point) => {
    heard.push(point);
    throw new Error('a death');
  };
  expect(() => reached('charge sent')).toThrow('a death');
  expect(heard).toEqual(['charge sent']);
});

test('a platform that was copied for the night still reaches the same listener', () => {
  const platform = { ...openFaultPoints(null) };
  const night = { ...platform };
  const heard: string[] = [];
  platform.faultPoints.onReached = (point) => void heard.push(point);
  night.reached('charge sent');
  expect(heard).toEqual(['charge sent']);
});

test('the process kills itself the n-th time it reaches the point, and not a step later', () => {
  const program = `
    import { writeSync } from 'node:fs';
    import { openFaultPoints } from ${JSON.stringify(new URL('./fault-points.ts', import.meta.url).href)};
    const { reached } = openFaultPoints({ point: 'charge sent', time: 2 });
    process.on('exit', () => writeSync(1, 'exit '));
    for (const point of ['charge sent', 'charge answered', 'charge answered', 'charge sent', 'charge answered']) {
      reached(point);
      writeSync(1, point + ', ');
    }`;
  const { signal, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  expect(signal).toBe('SIGKILL');
  expect(stdout).toBe('charge sent, charge answered, charge answered, ');
});
