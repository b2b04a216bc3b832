import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openKeyRing } from '../../src/clicks/signing-keys.ts';
import { verify } from '../../src/verify.ts';
import { openMerchant, otherMerchant } from '../support/merchant.ts';
import { history } from './commands.ts';
import { live, type Stage } from './live.ts';

/** `HISTORIES=10000` for more; `SEED=…` for the one that was printed. */
const runs = Number(process.env['HISTORIES'] ?? 300);
const seed = process.env['SEED'] === undefined ? {} : { seed: Number(process.env['SEED']) };

/** Histories move the clock, and a service that stops lets the nights that came due meanwhile end. */
const stopMsMax = 300_000;

let stage: Stage;
beforeAll(async () => {
  const merchant = await openMerchant();
  stage = { merchant, ring: await openKeyRing(merchant.service.platform), strangersClick: await otherMerchant(merchant).click() };
});
afterAll(async () => {
  stage.ring.close();
  await stage.merchant.service.stop();
}, stopMsMax);

test(
  `${runs} random histories of a shop: every status, reason, identifier and cent is as the documents say`,
  async () => {
    const told = fc.asyncProperty(history, async (commands) => {
      const difference = await live(stage, commands);
      if (difference !== null) throw new Error(difference);
    });
    await fc.assert(told, { numRuns: runs, endOnFailure: false, ...seed });
    const results = await verify(stage.merchant.service.platform);
    expect(results.filter(({ differences }) => differences.length > 0)).toEqual([]);
  },
  runs * 2_000,
);
