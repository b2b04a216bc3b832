import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isHard, sizeOf, reportMeasurement } from '../support/size.ts';
import { serviceUnderLoad } from './service-under-load.ts';
import type { Sent } from './sender.ts';

const sockets = sizeOf('drippingSockets');
const windows = sizeOf('slowWindows');
const windowSeconds = isHard ? 6 : 3;
/** Long enough for all clients to connect. */
const connectMs = 1_500;
const slowerMax = isHard ? 2 : 6;
/** Below this time, a factor of two is within noise. */
const floorMs = isHard ? 5 : 5_000;
/** The load of a mid-size store, far below the capacity of the service, so that only waiting shows. */
const others = { is: 'by the clock', perSecond: 200, connectionsMax: 200 } as const;

test(
  `${sockets} clients that send one byte per second do not slow other requests: their p99 stays below twice its usual value`,
  async () => {
    const { send } = await serviceUnderLoad();
    await send(others, windowSeconds);
    const [alone, beside]: readonly [number[], number[]] = [[], []];
    let cut = 0;
    // Alternates the two, because the speed of a machine changes over time.
    for (let window = 0; window < windows; window += 1) {
      alone.push(p99Of(await send(others, windowSeconds)));
      const dripping = send({ is: 'dripping', connections: sockets }, windowSeconds + 2 * (connectMs / 1_000) + 5);
      await pause(connectMs);
      beside.push(p99Of(await send(others, windowSeconds)));
      cut += (await dripping).besides;
    }
    const [usual, slowed] = [middleOf(alone), middleOf(beside)];
    reportMeasurement({
      what: `${sockets} clients that send one byte per second`,
      measured:
        `p99 of other clients ${slowed} ms with them, ${usual} ms without (medians of ${windows} windows each); ` +
        `${cut} slow connections were closed and opened again`,
      limit: 'less than twice the usual p99',
    });
    expect(slowed).toBeLessThan(usual * slowerMax + floorMs);
  },
  windows * (4 * windowSeconds + 20) * 1_000 + 120_000,
);

/** Requests that find every connection busy, because other tests delay the service by up to a second. */
const busyMax = isHard ? 0 : others.perSecond;

/** A request that was not answered at all counts as the slowest. */
function p99Of({ answers, took, besides }: Sent): number {
  expect(Object.keys(answers)).toEqual(['200']);
  expect(besides).toBeLessThanOrEqual(busyMax);
  return took['200']?.p99 ?? 0;
}

const middleOf = (all: readonly number[]): number => [...all].sort((one, other) => one - other)[Math.floor(all.length / 2)] ?? 0;
