import { Type as T } from 'typebox';
import { endpoint } from '../people/endpoint.ts';
import { failedJobs } from '../queue/scheduled-jobs-sql.ts';
import { centsField, isoTime, namedObject, orNull } from '../http/fields.ts';
import { publicId } from '../core/ids.ts';
import { plusDays, realNow } from '../core/time.ts';
import {
  countChargesInFlight,
  countOpenDisputes,
  listPastDueStores,
  countPayoutsInFlight,
  countInstallation,
  readSalesSince,
  type InFlight,
} from './overview-sql.ts';
import { countQueueFailures, countDueTasks } from './queue-sql.ts';
import { lastVerification } from './verifications-sql.ts';

const soldDays = 7;
const pastDueShown = 20;

const whole = T.Integer();
const inFlight = T.Object({ count: whole, amount_cents: centsField() });

export const operatorsOverview = endpoint({
  summary: 'Get an overview of the installation: accounts, sales, money in transit, and failures',
  access: { allow: 'operator' },
  reply: namedObject('OperatorOverview', {
    stores: T.Object({ count: whole, past_due: whole, archived: whole }),
    past_due_stores: T.Array(T.Object({ id: T.String(), name: T.String(), since: T.String() }), {
      description: `The first ${pastDueShown}, by the start of being past due`,
    }),
    creators: T.Object({ count: whole, suspended: whole }),
    sold: T.Object({
      since: T.String({ description: 'The first day, in UTC' }),
      clicks: whole,
      orders: T.Integer({ description: 'One-time orders and paid invoices of subscriptions' }),
      revenue_cents: centsField(),
      commission_cents: centsField('The commissions of these orders as recorded'),
      earned_cents: centsField('The commissions of these orders, without rejected and reversed ones'),
    }),
    payouts: T.Object({ awaiting_second: inFlight, sending: inFlight, unknown: inFlight }),
    charges: T.Object({ sending: inFlight, unknown: inFlight }),
    open_disputes: whole,
    last_verification: orNull(
      T.Object({ at: T.String(), by_name: T.String(), took_ms: orNull(whole), checked: whole, differences: whole }),
    ),
    queue_waiting: T.Integer({ description: 'Jobs that are due and not started, in real time; counted up to 10,000' }),
    failed_jobs: T.Object({ night: T.Array(T.String()), queue: whole }),
  }),
  async handle({ db, now }) {
    const since = plusDays(now, 1 - soldDays)
      .toISOString()
      .slice(0, 10);
    const [count, pastDue, sold] = [
      await countInstallation(db),
      await listPastDueStores(db, pastDueShown),
      await readSalesSince(db, since),
    ];
    const [payouts, charges, verified] = [await countPayoutsInFlight(db), await countChargesInFlight(db), await lastVerification(db)];
    return {
      stores: { count: Number(count.stores), past_due: Number(count.pastDue), archived: Number(count.archived) },
      past_due_stores: pastDue.map(({ storeId, name, pastDueAt }) => ({ id: publicId('store', storeId), name, since: isoTime(pastDueAt) })),
      creators: { count: Number(count.creators), suspended: Number(count.suspended) },
      sold: {
        since,
        clicks: Number(sold.clicks),
        orders: Number(sold.orders),
        revenue_cents: sold.revenueCents,
        commission_cents: sold.commissionCents,
        earned_cents: sold.earnedCents,
      },
      payouts: {
        awaiting_second: sumOf(payouts, ['awaiting_second']),
        sending: sumOf(payouts, ['ready', 'sending']),
        unknown: sumOf(payouts, ['unknown']),
      },
      charges: { sending: sumOf(charges, ['ready', 'sending', 'pending']), unknown: sumOf(charges, ['unknown']) },
      open_disputes: await countOpenDisputes(db),
      last_verification: verified && {
        at: isoTime(verified.at),
        by_name: verified.requestedByName,
        took_ms: verified.tookMs === null ? null : Number(verified.tookMs),
        checked: Number(verified.checked),
        differences: verified.differences,
      },
      queue_waiting: await countDueTasks(db, realNow()),
      failed_jobs: { night: [...(await failedJobs(db))], queue: await countQueueFailures(db) },
    };
  },
});

function sumOf<State extends string>(all: ReadonlyArray<InFlight<State>>, states: readonly State[]) {
  const some = all.filter(({ state }) => states.includes(state));
  return {
    count: some.reduce((sum, { count }) => sum + Number(count), 0),
    amount_cents: some.reduce((sum, { amountCents }) => sum + amountCents, 0n),
  };
}
