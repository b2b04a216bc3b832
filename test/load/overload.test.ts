import { expect, test } from 'vitest';
import { verify } from '../../src/app/verify.ts';
import { isHard, sizeOf, reportMeasurement } from '../support/size.ts';
import { serviceUnderLoad, type UnderLoad } from './service-under-load.ts';
import { watchDisk } from './disk.ts';
import type { Sent } from './sender.ts';

/** Time limits and ratios hold only when no other test runs; `npm test` runs other tests, and checks only the responses. */
const refusalsP99MsMax = isHard ? 250 : 30_000;
const servedLeast = isHard ? 0.6 : 0;
const usualAgainLeast = isHard ? 0.7 : 0;
const seconds = sizeOf('overloadSeconds');
/** Short bursts wait in the queue, so overload must last this long before a request is rejected. */
const refusesFromSeconds = 10;
const refusedLeast = isHard && seconds >= refusesFromSeconds ? 1 : 0;
const capacitySeconds = Math.min(10, seconds);
const usual = { is: 'one after the other', connections: 64 } as const;
/** The memory limit of the process under any load. */
const memoryMbMax = 1_024;
/** A sender process has the same limit of open files as any other process, so the connections need two of them. */
const senderProcesses = 2;
/** Each order has its own time, as with real merchants: 10,000 orders in one instant are a second of work here. */
const comeWithinMs = Math.min(20_000, seconds * 250);
/** The pause between an answer and the next order of the same merchant; fewer senders send more often, to reach the capacity. */
const againMsMax = 2_000;
const demandFactor = 1.9;
const againMsOf = (connections: number, capacity: number): number =>
  isHard ? Math.min(againMsMax, (connections * 1_000) / (capacity * demandFactor)) : againMsMax;
/** A shared machine may starve a sender or delay a write: the measurement then reflects the machine, and is repeated. */
const standstillMsMax = 1_000;
const triesMax = isHard ? 3 : 1;
const testMsMax = triesMax * (seconds * 4_000 + 180_000);

const served = ({ answers, seconds: took }: Sent): number => (answers['200'] ?? 0) / took;

/** The first run warms up: statements are planned, code is compiled. */
async function capacityOf({ send }: UnderLoad): Promise<number> {
  await send(usual, Math.min(5, capacitySeconds));
  return served(await send(usual, capacitySeconds));
}

type Tried = { readonly sent: readonly Sent[]; readonly standstills: readonly number[] };

/** `standstills`: the longest of each try; the last entry belongs to the result. */
async function repeatUntilSteady(sendAll: () => Promise<readonly Sent[]>, before: readonly number[] = []): Promise<Tried> {
  const disk = await watchDisk();
  const sent = await sendAll();
  const standstills = [...before, Math.max(await disk.longestMs(), ...sent.map(({ stoodStillMs }) => stoodStillMs))];
  const isGood = Math.max(...standstills.slice(-1)) <= standstillMsMax;
  return isGood || standstills.length === triesMax ? { sent, standstills } : repeatUntilSteady(sendAll, standstills);
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
  const response = { refusalsP99, servedShare: rate / capacity, againShare: again / capacity, memory };
  const unlike = standstills.filter((ms) => ms > standstillMsMax);
  reportMeasurement({
    what,
    measured:
      `capacity ${Math.round(capacity)}/s, served ${Math.round(rate)}/s (${response.servedShare.toFixed(2)} of it), refused ${refused} ` +
      `with p99 ${refusalsP99} ms, 0 × 429, memory ${memory} MB, afterwards ${Math.round(again)}/s within 10 s` +
      (unlike.length > 0
        ? `; in ${unlike.length} of ${standstills.length} tries the machine stood still, for ${unlike.join(' and ')} ms`
        : ''),
    limit: `served 0.6 of capacity, refusals p99 ${refusalsP99MsMax} ms, memory ${memoryMbMax} MB`,
  });
  expect(refused, 'refused').toBeGreaterThanOrEqual(refusedLeast);
  expect(response.servedShare, 'served').toBeGreaterThan(servedLeast);
  expect(response.refusalsP99, 'refused in time').toBeLessThan(refusalsP99MsMax);
  expect(response.memory, 'memory').toBeLessThan(memoryMbMax);
  expect(response.againShare, 'as usual within 10 s').toBeGreaterThan(usualAgainLeast);
  expect((await verify(merchant.service.platform)).filter(({ differences }) => differences.length > 0)).toEqual([]);
}
type Judged = { readonly capacity: number; readonly what: string };

test(
  'with 50% more orders than its capacity, it serves most of its capacity, rejects the rest immediately, and never answers 429',
  async () => {
    const load = await serviceUnderLoad();
    const capacity = await capacityOf(load);
    const clocked = { is: 'by the clock', perSecond: Math.ceil(capacity * 1.5), connectionsMax: 6_000 } as const;
    const tried = await repeatUntilSteady(async () => [await load.send(clocked, seconds)]);
    await expectServed(load, tried, { capacity, what: `1.5 times the capacity for ${seconds} s` });
  },
  testMsMax,
);

test(
  'with far more connections than allowed concurrent requests, it serves most of its capacity and rejects the rest immediately',
  async () => {
    const load = await serviceUnderLoad();
    const capacity = await capacityOf(load);
    const connections = Math.ceil(sizeOf('concurrentRequests') / senderProcesses);
    const againMs = againMsOf(connections * senderProcesses, capacity);
    const clients = () => load.send({ is: 'crowd', connections, withinMs: comeWithinMs, againMs }, seconds);
    const tried = await repeatUntilSteady(() => Promise.all(Array.from({ length: senderProcesses }, clients)));
    await expectServed(load, tried, {
      capacity,
      what: `${connections * senderProcesses} connections opened within ${comeWithinMs / 1_000} s, for ${seconds} s`,
    });
  },
  testMsMax,
);
