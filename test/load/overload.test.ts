import { expect, test } from 'vitest';
import { verify } from '../../src/verify.ts';
import { isHard, sizeOf, tellFigure } from '../support/size.ts';
import { serviceUnderLoad, type UnderLoad } from './service-under-load.ts';
import type { Sent } from './sender.ts';

/** Times and shares hold where nothing else runs beside: `npm test` runs other tests meanwhile, and holds what is answered. */
const refusalsP99MsMax = isHard ? 250 : 30_000;
const servedLeast = isHard ? 0.6 : 0;
const usualAgainLeast = isHard ? 0.7 : 0;
const seconds = sizeOf('overloadSeconds');
const capacitySeconds = Math.min(10, seconds);
const usual = { is: 'one after the other', connections: 64 } as const;
/** Whatever comes, the process stays this small. */
const memoryMbMax = 1_024;
/** A sender has no more files open than others. */
const sendersOfCrowd = 2;
/** Each has a moment of its own, as merchants have: to take in 19,000 in one moment is two seconds of work here. */
const comeWithinMs = Math.min(20_000, seconds * 250);
/** From an answer to the next order of the same merchant; a smaller crowd asks more often, or it would want less than can be served. */
const againMsMax = 2_000;
const crowdWants = 1.9;
const againMsOf = (connections: number, capacity: number): number =>
  isHard ? Math.min(againMsMax, (connections * 1_000) / (capacity * crowdWants)) : againMsMax;
const testMsMax = seconds * 4_000 + 180_000;

const served = ({ answers, seconds: took }: Sent): number => (answers['200'] ?? 0) / took;

/** The first run warms it up: statements are planned, code is compiled. */
async function capacityOf({ send }: UnderLoad): Promise<number> {
  await send(usual, Math.min(5, capacitySeconds));
  return served(await send(usual, capacitySeconds));
}

async function expectServed({ send, memoryMb, merchant }: UnderLoad, sent: readonly Sent[], { capacity, what }: Judged): Promise<void> {
  const memory = memoryMb();
  const again = served(await send(usual, Math.min(10, capacitySeconds)));
  for (const { answers } of sent)
    expect(Object.keys(answers).toSorted(), JSON.stringify(sent)).toEqual(answers['503'] ? ['200', '503'] : ['200']);
  const rate = sent.reduce((sum, each) => sum + served(each), 0);
  const refused = sent.reduce((sum, { answers }) => sum + (answers['503'] ?? 0), 0);
  const refusalsP99 = Math.max(0, ...sent.map(({ took }) => took['503']?.p99 ?? 0));
  const came = { refusalsP99, servedShare: rate / capacity, againShare: again / capacity, memory };
  const stoodStill = Math.max(...sent.map(({ stoodStillMs }) => stoodStillMs));
  tellFigure({
    what,
    came:
      `capacity ${Math.round(capacity)}/s, served ${Math.round(rate)}/s (${came.servedShare.toFixed(2)} of it), refused ${refused} ` +
      `with p99 ${refusalsP99} ms, 0 × 429, memory ${memory} MB, afterwards ${Math.round(again)}/s within 10 s` +
      (stoodStill > standstillMsMax ? `; THE SENDERS STOOD STILL for ${stoodStill} ms` : ''),
    must: `served 0.6 of capacity, refusals p99 ${refusalsP99MsMax} ms, memory ${memoryMbMax} MB`,
  });
  expect(came.servedShare, 'served').toBeGreaterThan(servedLeast);
  expect(came.refusalsP99, 'refused in time').toBeLessThan(refusalsP99MsMax);
  expect(came.memory, 'memory').toBeLessThan(memoryMbMax);
  expect(came.againShare, 'as usual within 10 s').toBeGreaterThan(usualAgainLeast);
  expect((await verify(merchant.service.platform)).filter(({ differences }) => differences.length > 0)).toEqual([]);
}
/** Longer than that the machine gave a sender no time at all: then the figures are the machine's, not the service's. */
const standstillMsMax = 1_000;
type Judged = { readonly capacity: number; readonly what: string };

test(
  'half more orders than it can take: most of what it can is served, the rest is refused at once, and nobody is told 429',
  async () => {
    const load = await serviceUnderLoad();
    const capacity = await capacityOf(load);
    const sent = await load.send({ is: 'by the clock', perSecond: Math.ceil(capacity * 1.5), connectionsMax: 6_000 }, seconds);
    await expectServed(load, [sent], { capacity, what: `1.5 times the capacity for ${seconds} s` });
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
    const sent = await Promise.all(Array.from({ length: sendersOfCrowd }, crowd));
    await expectServed(load, sent, {
      capacity,
      what: `${connections * sendersOfCrowd} connections that come within ${comeWithinMs / 1_000} s, for ${seconds} s`,
    });
  },
  testMsMax,
);
