import { env } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test, type TestContext } from 'vitest';
import { openKeyRing } from '../../src/clicks/signing-keys.ts';
import { verify } from '../../src/app/verify.ts';
import { openMerchantAlone, otherMerchant } from '../support/merchant.ts';
import { seed, sizeOf, reportMeasurement } from '../support/size.ts';
import { history } from './commands.ts';
import { live, type Stage } from './live.ts';
import { reachedText, reachedTooRarely } from './reached.ts';

/** A failure prints this with its seed: `SEED=… HISTORY_PATH=…` runs that one history again immediately. */
const path = env['HISTORY_PATH'];
const runs = sizeOf('histories');
const lanes = path === undefined ? sizeOf('historyLanes') : 1;
const runsOfLane = Math.ceil(runs / lanes);

/**
 * Histories move the clock by years, and a service that stops first completes the scheduled jobs that became due, each for thousands
 * of stores. The test waits no longer than this; the rest ends with the process.
 */
const stopMsMax = 60_000;
/** On a machine that runs much else; a history takes a twentieth of it otherwise. */
const historyMsMax = 15_000;

/** `onTestFinished` of the lane itself: the imported one would belong to the lane that started last, and stop its service too early. */
async function openStage({ onTestFinished }: Pick<TestContext, 'onTestFinished'>, tally: Stage['tally']): Promise<Stage> {
  const merchant = await openMerchantAlone();
  const stage = {
    merchant,
    tally,
    ring: await openKeyRing(merchant.service.platform),
    strangersClick: await otherMerchant(merchant).click(),
  };
  onTestFinished(async () => {
    stage.ring.close();
    await Promise.race([merchant.service.stop(), pause(stopMsMax, undefined, { ref: false })]);
  }, 2 * stopMsMax);
  return stage;
}

describe.concurrent(`${runs} random histories of a store`, () => {
  test.for(Array.from({ length: lanes }, (_none, lane) => seed + lane))(
    'every status, reason, identifier, and cent is as documented (seed %i)',
    { timeout: runs * historyMsMax + stopMsMax },
    async (laneSeed, context) => {
      const reached = new Map<string, number>();
      const stage = await openStage(context, (what) => void reached.set(what, (reached.get(what) ?? 0) + 1));
      let commandsLived = 0;
      const shown = fc.asyncProperty(history, async (lived) => {
        commandsLived += lived.commands.length;
        const difference = await live(stage, lived);
        if (difference !== null) throw new Error(difference);
      });
      const where = path === undefined ? {} : { path };
      // Shrinking a difference may take longer than the test: the limit reports the smallest one found until then.
      const limit = { interruptAfterTimeLimit: runs * historyMsMax, markInterruptAsFailure: true };
      await fc.assert(shown, { numRuns: runsOfLane, endOnFailure: false, seed: laneSeed, ...limit, ...where });
      const results = await verify(stage.merchant.service.platform);
      expect(results.filter(({ differences }) => differences.length > 0)).toEqual([]);
      if (path === undefined) expect(reachedTooRarely(reached, runsOfLane)).toEqual([]);
      reportMeasurement({
        what: 'random histories compared with the reference model',
        measured: `${runsOfLane} histories, ${commandsLived} commands, 0 differences, verify clean (fast-check seed ${laneSeed})`,
      });
      reportMeasurement({ what: 'what these histories reached, and how often', measured: reachedText(reached) });
    },
  );
});
