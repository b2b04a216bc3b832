import { chargeOpenInvoices } from '../../billing/run-billing.ts';
import { issueInvoice } from '../../billing/issue-invoice.ts';
import { awardGoalsOf } from '../../review/award-goals.ts';
import { deliverStoreEarnings } from '../../payouts/deliver-earnings.ts';
import { payCreator } from '../../payouts/run-payouts.ts';
import { setPaymentMethod } from '../../merchants/payment-methods-sql.ts';
import { historyLock } from '../../db/advisory-locks.ts';
import { datePastEmails } from '../../notify/emails-sql.ts';
import { newId } from '../../core/ids.ts';
import type { Platform } from '../../runtime/platform.ts';
import { hourMs, minuteMs, plusDays, realNow, startOfDay } from '../../core/time.ts';
import { type Money, openProviders } from '../../payments/providers.ts';
import { planBonuses } from './bonuses.ts';
import { planCodes } from './codes.ts';
import { createRandom } from './random.ts';
import { planRates } from './rates.ts';
import { planDispute, reviewFor } from './reviews.ts';
import { renewFor, visitFor } from './sales.ts';
import { seedWorld } from './seed.ts';
import { planShowcase } from './showcase.ts';
import { storyNames } from './story.ts';
import { openYear, planCreators, sendTestOrder, type Past, type Year } from './year.ts';

const yearDays = 365;
/** The test order turns tracking on; only then can the programs be published. */
const testedAfterMs = 5 * minuteMs;
const openedAfterMs = 10 * minuteMs;
const randomSeed = 20_260_301;
/** Partial refunds have random numbers of their own, so that the rest of the story stays as it is. */
const refundsSeed = 20_261_101;
/** The card is declined at the first charge in the second half of the history. */
const declinedAfter = 0.5;
/** Notifications of these last days are unread. */
const unreadDays = 10;

/**
 * A year of a store: visits, orders, refunds, subscriptions, reviews, invoices, and payouts, created by the same functions as real ones,
 * with a clock that moves through the past. The random numbers are the same in each run.
 */
export async function seedHistory(platform: Platform, days = yearDays): Promise<Awaited<ReturnType<typeof seedWorld>>> {
  // The service's own jobs use the current time: they wait until the history is written.
  const lock = await historyLock(platform.jobsDatabase, 'history');
  try {
    return await writePast(platform, days);
  } finally {
    await lock?.release();
  }
}

async function writePast(platform: Platform, days: number): Promise<Awaited<ReturnType<typeof seedWorld>>> {
  const random = createRandom(randomSeed);
  const now = platform.clock.now();
  const today = startOfDay(now);
  const begin = plusDays(today, -days);
  const past = createPast(platform, begin);
  const [testedAt, openedAt] = [new Date(begin.getTime() + testedAfterMs), new Date(begin.getTime() + openedAfterMs)];
  const world = await seedWorld(past.platform, { testedAt, openedAt, names: storyNames });
  const year = await openYear(past.platform, world, openedAt);
  await sendTestOrder(year, past, testedAt);
  planCreators(year, past, { days, begin });
  planDeclinedCard(year, { days, begin });
  planDispute(year, past, { days, begin });
  const codes = planCodes(year, { days, begin });
  planRates(year, past, { days, begin });
  planBonuses(year, { days, begin });
  planShowcase(year, { days, begin });
  const refunds = createRandom(refundsSeed);
  for (let day = 0; day <= days; day++) {
    const morning = plusDays(begin, day);
    const until = day === days ? new Date(now.getTime() - minuteMs) : plusDays(morning, 1);
    await visitFor(year, morning, { random, codes, refunds, grown: day / days, until });
    renewFor(year, morning, random);
    year.agenda.push({ at: new Date(morning.getTime() + 5 * hourMs), sendsEmails: true, run: () => runMoneyJobs(year, past, morning) });
    if ([1, 4].includes(morning.getUTCDay())) {
      const at = new Date(morning.getTime() + 9 * hourMs);
      year.agenda.push({ at, run: () => reviewFor(year, past, { at, random }) });
    }
    await runAgenda(year, past, { until, unreadFrom: plusDays(today, -unreadDays) });
  }
  year.close();
  return world;
}

type Until = { readonly until: Date; readonly unreadFrom: Date };

/** Everything happens in its order of time: what an event makes due later on the same day is run on that day too. */
async function runAgenda(year: Year, { moveTo }: Past, { until, unreadFrom }: Until): Promise<void> {
  for (;;) {
    const next = year.agenda.filter(({ at }) => at < until).toSorted((one, other) => one.at.getTime() - other.at.getTime())[0];
    if (next === undefined) return;
    year.agenda.splice(year.agenda.indexOf(next), 1);
    const { at, run, sendsEmails = false } = next;
    const since = realNow();
    moveTo(at);
    await run();
    if (sendsEmails) await datePastEmails(year.database, { to: year.emails, since, at, isRead: at < unreadFrom });
  }
}

function createPast(platform: Platform, start: Date): Past {
  let moment = start;
  const jobsPlatform = { ...platform, database: platform.jobsDatabase };
  return {
    platform: { ...jobsPlatform, clock: { now: () => moment, refresh: async () => {} } },
    moveTo: (next) => void (moment = next),
  };
}

/**
 * Invoices are charged three days after their issue. One charge is declined for insufficient funds, and the retry on the next day succeeds;
 * then the merchant sets another card.
 */
function planDeclinedCard(year: Year, { days, begin }: { readonly days: number; readonly begin: Date }): void {
  const half = Math.ceil(days * declinedAfter);
  const invoiced = Array.from({ length: days - half }, (_, day) => plusDays(begin, half + day)).find((day) => day.getUTCDate() === 1);
  if (invoiced === undefined) return;
  const setMethod = (sandbox: 'ok' | 'insufficient_then_ok', at: Date) => {
    const run = async () => {
      // The suffix starts the sandbox's script anew for each world.
      const instrument = sandbox === 'ok' ? sandbox : `${sandbox}#${newId<'pm'>(at)}`;
      await year.database.transaction((tx) => setPaymentMethod(tx, { storeId: year.storeId, provider: 'sandbox', instrument, at }));
      await year.audit(at, 'payment_method.set', '/payment-method', { sandbox });
    };
    year.agenda.push({ at, run });
  };
  setMethod('insufficient_then_ok', new Date(plusDays(invoiced, -6).getTime() + 15 * hourMs));
  setMethod('ok', new Date(plusDays(invoiced, 6).getTime() + 15 * hourMs));
}

/** What the scheduled jobs do, for this store and its creators only. */
async function runMoneyJobs(year: Year, { platform }: Past, morning: Date): Promise<void> {
  const day = morning.getUTCDate();
  const now = platform.clock.now();
  const money: Money = { platform, providers: openProviders(platform) };
  await awardGoalsOf(platform, year, now);
  await issueInvoice(money, { storeId: year.storeId, now, moment: day === 1 ? 'cut' : 'day', minimum: null });
  await chargeOpenInvoices(money, year.storeId, now);
  // What was collected is in the creators' books on the same day, and not when the service's own job comes to it.
  await deliverStoreEarnings(platform, year.storeId, now);
  if (day !== 1 && day !== 15) return;
  const run = {
    payoutRunId: newId<'prun'>(now),
    startedBy: 'system',
    startedByUserId: null,
    minimum: null,
    isDry: false,
    isAssessed: () => true,
    now,
  };
  // Other worlds of this sandbox live at the time of now: nothing of theirs is delivered or paid here.
  for (const creatorId of year.creatorIds) await payCreator(money, creatorId, run);
}
