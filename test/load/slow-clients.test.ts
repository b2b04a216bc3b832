import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isHard, sizeOf, tellFigure } from '../support/size.ts';
import { serviceUnderLoad } from './service-under-load.ts';
import type { Sent } from './sender.ts';

const sockets = sizeOf('drippingSockets');
const windows = sizeOf('slowWindows');
const windowSeconds = isHard ? 6 : 3;
/** Long enough for all of them to be there. */
const gatherMs = 1_500;
const slowerMax = isHard ? 2 : 6;
/** Where the usual is next to nothing, twice of it is too. */
const floorMs = isHard ? 5 : 5_000;
/** What a shop of some size sends; far from what the service can take, so that only waiting shows. */
const others = { is: 'by the clock', perSecond: 200, connectionsMax: 200 } as const;

test(
  `${sockets} clients that send a byte a second cost others nothing: their p99 stays below twice its usual`,
  async () => {
    const { send } = await serviceUnderLoad();
    await send(others, windowSeconds);
    const [alone, beside]: readonly [number[], number[]] = [[], []];
    let cut = 0;
    // In turns, because a machine is not as quick at one moment as at another.
    for (let window = 0; window < windows; window += 1) {
      alone.push(p99Of(await send(others, windowSeconds)));
      const dripping = send({ is: 'dripping', connections: sockets }, windowSeconds + 2 * (gatherMs / 1_000) + 5);
      await pause(gatherMs);
      beside.push(p99Of(await send(others, windowSeconds)));
      cut += (await dripping).besides;
    }
    const [usual, slowed] = [middleOf(alone), middleOf(beside)];
    tellFigure({
      what: `${sockets} clients that send a byte a second`,
      came:
        `others' p99 ${slowed} ms beside them, ${usual} ms without (medians of ${windows} windows each); ` +
        `${cut} were cut off and came again`,
      must: 'below twice the usual',
    });
    expect(slowed).toBeLessThan(usual * slowerMax + floorMs);
  },
  windows * (4 * windowSeconds + 20) * 1_000 + 120_000,
);

/** Whoever was not served at all had it worse than anybody. */
function p99Of({ answers, took, besides }: Sent): number {
  expect([Object.keys(answers), besides]).toEqual([['200'], 0]);
  return took['200']?.p99 ?? 0;
}

const middleOf = (all: readonly number[]): number => [...all].sort((one, other) => one - other)[Math.floor(all.length / 2)] ?? 0;
