import { expect, test } from 'vitest';
import { verify } from '../../src/verify.ts';
import { isHard, sizeOf, tellFigure } from '../support/size.ts';
import { serviceUnderLoad, type UnderLoad } from './service-under-load.ts';
import { watchDisk } from './disk.ts';
import type { Sent } from './sender.ts';

/** Times and shares hold where nothing else runs beside: `npm test` runs other tests meanwhile, and holds what is answered. */
const refusalsP99MsMax = isHard ? 250 : 30_000;
const servedLeast = isHard ? 0.6 : 0;
const usualAgainLeast = isHard ? 0.7 : 0;
const seconds = sizeOf('overloadSeconds');
/** What is too much for a moment waits; for so long somebody must be refused, or nobody ever came who was one too many. */
const refusesFromSeconds = 10;
const refusedLeast = isHard && seconds >= refusesFromSeconds ? 1 : 0;
const capacitySeconds = Math.min(10, seconds);
const usual = { is: 'one after the other', connections: 64 } as const;
/** Whatever comes, the process stays this small. */
const memoryMbMax = 1_024;
/** A sender has no more files open than others. */
const sendersOfCrowd = 2;
/** Each has a moment of its own, as merchants have: to take in 10,000 in one moment is a second of work here. */
const comeWithinMs = Math.min(20_000, seconds * 250);
/** From an answer to the next order of the same merchant; a smaller crowd asks more often, or it would want less than can be served. */
const againMsMax = 2_000;
const crowdWants = 1.9;
const againMsOf = (connections: number, capacity: number): number =>
  isHard ? Math.min(againMsMax, (connections * 1_000) / (capacity * crowdWants)) : againMsMax;
/** A machine that others share may give a sender no time, or let a write wait: then the figures are the machine's, and it is done again. */
const standstillMsMax = 1_000;
const triesMax = isHard ? 3 : 1;
const testMsMax = triesMax * (seconds * 4_000 + 180_000);

const served = ({ answers, seconds: took }: Sent): number => (answers['200'] ?? 0) / took;

/** The first run warms it up: statements are planned, code is compiled. */
async function capacityOf({ send }: UnderLoad): Promise<number> {
  await send(usual, Math.min(5, capacitySeconds));
  return served(await send(usual, capacitySeconds));
}

type Tried = { readonly sent: readonly Sent[]; readonly standstills: readonly number[] };

/** `standstills`: the longest of each try; the last one is that of what was sent. */
async function untilTheMachineStands(sendAll: () => Promise<readonly Sent[]>, before: readonly number[] = []): Promise<Tried> {
  const disk = await watchDisk();
  const sent = await sendAll();
  const standstills = [...before, Math.max(await disk.longestMs(), ...sent.map(({ stoodStillMs }) => stoodStillMs))];
  const isGood = Math.max(...standstills.slice(-1)) <= standstillMsMax;
  return isGood || standstills.length === triesMax ? { sent, standstills } : untilTheMachineStands(sendAll, standstills);
}

async function expectServed(
  { send, memoryMb, merchant }: UnderLoad,
  { sent, standstills }: Tried,
  { capacity, what }: Judged,
): Promise<void> {
  const memory = memoryMb();
  const again = served(await send(usual, Math.min(10, capacitySeconds)));
  for (const { answers } of sent)
    expect(Object.keys(answers).toSorted(), JSON.stringify(sent)).toEqual(answers['503'] ? ['200', '503'] : ['200']);
  const rate = sent.reduce((sum, each) => sum + served(each), 0);
  const refused = sent.reduce((sum, { answers }) => sum + (answers['503'] ?? 0), 0);
  const refusalsP99 = Math.max(0, ...sent.map(({ took }) => took['503']?.p99 ?? 0));
  const came = { refusalsP99, servedShare: rate / capacity, againShare: again / capacity, memory };
  const unlike = standstills.filter((ms) => ms > standstillMsMax);
  tellFigure({
    what,
    came:
      `capacity ${Math.round(capacity)}/s, served ${Math.round(rate)}/s (${came.servedShare.toFixed(2)} of it), refused ${refused} ` +
      `with p99 ${refusalsP99} ms, 0 × 429, memory ${memory} MB, afterwards ${Math.round(again)}/s within 10 s` +
      (unlike.length > 0
        ? `; in ${unlike.length} of ${standstills.length} tries the machine stood still, for ${unlike.join(' and ')} ms`
        : ''),
    must: `served 0.6 of capacity, refusals p99 ${refusalsP99MsMax} ms, memory ${memoryMbMax} MB`,
  });
  expect(refused, 'refused').toBeGreaterThanOrEqual(refusedLeast);
  expect(came.servedShare, 'served').toBeGreaterThan(servedLeast);
  expect(came.refusalsP99, 'refused in time').toBeLessThan(refusalsP99MsMax);
  expect(came.memory, 'memory').toBeLessThan(memoryMbMax);
  expect(came.againShare, 'as usual within 10 s').toBeGreaterThan(usualAgainLeast);
  expect((await verify(merchant.service.platform)).filter(({ differences }) => differences.length > 0)).toEqual([]);
}
type Judged = { readonly capacity: number; readonly what: string };

test(
  'half more orders than it can take: most of what it can is served, the rest is refused at once, and nobody is told 429',
  async () => {
    const load = await serviceUnderLoad();
    const capacity = await capacityOf(load);
    const clocked = { is: 'by the clock', perSecond: Math.ceil(capacity * 1.5), connectionsMax: 6_000 } as const;
    const tried = await untilTheMachineStands(async () => [await load.send(clocked, seconds)]);
    await expectServed(load, tried, { capacity, what: `1.5 times the capacity for ${seconds} s` });
  },
  testMsMax,
);

test(
  'far more connections than requests may be under way: most of what it can is served, the rest is refused at once',
  async () => {
    const load = await serviceUnderLoad();
    const capacity = await capacityOf(load);
    const connections = Math.ceil(sizeOf('crowd') / sendersOfCrowd);
    const againMs = againMsOf(connections * sendersOfCrowd, capacity);
    const crowd = () => load.send({ is: 'crowd', connections, withinMs: comeWithinMs, againMs }, seconds);
    const tried = await untilTheMachineStands(() => Promise.all(Array.from({ length: sendersOfCrowd }, crowd)));
    await expectServed(load, tried, {
      capacity,
      what: `${connections * sendersOfCrowd} connections that come within ${comeWithinMs / 1_000} s, for ${seconds} s`,
    });
  },
  testMsMax,
);
