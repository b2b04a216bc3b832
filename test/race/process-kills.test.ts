import { expect, onTestFinished, test } from 'vitest';
import { findPayoutMethod, insertPayoutMethod, replacePayoutMethod } from '../../src/creators/payout-methods-sql.ts';
import { sql, texts } from '../../src/db/sql.ts';
import { publicId, readPublicId, type Id } from '../../src/core/ids.ts';
import { invariant } from '../../src/core/invariant.ts';
import { endInSandbox } from '../../src/payments/sandbox.ts';
import { verify } from '../../src/app/verify.ts';
import { billerOf, type Biller } from '../support/billing.ts';
import { freshDatabase } from '../support/database.ts';
import { isTest, readSources } from '../architecture/source.ts';
import { besideMain, freePort, startMain, type MainProcess } from '../support/main-process.ts';
import { merchantIn } from '../support/merchant.ts';
import type { TestService } from '../support/service.ts';
import { randomFrom, seed, sizeOf, reportMeasurement } from '../support/size.ts';

/** Every point where a charge or a payout can crash, in the order in which they are reached. */
const points = [
  'billing: an invoice is begun',
  'billing: a chunk is drafted',
  'billing: an invoice is issued',
  'billing: a charge is made',
  'billing: sending',
  'billing: answered',
  'billing: looked up',
  'billing: settled',
  'billing: a part is collected',
  'billing: a dispute is lost',
  'billing: a chunk is reversed',
  'risk: a charge is in doubt',
  'payouts: entries kept',
  'payouts: begun',
  'payouts: part claimed',
  'payouts: claimed',
  'payouts: chunk moved into payout',
  'payouts: drafted',
  'payouts: sending',
  'payouts: answered',
  'payouts: looked up',
  'payouts: settled',
  'payouts: part taken out',
  'payouts: store updated',
  'payouts: chunk updated',
];
const words = [
  'ok',
  'error_done',
  'error_not_done',
  'timeout_done',
  'timeout_not_done',
  'webhook_first',
  'never',
  'five_times',
  'reordered',
  'declined',
];
const charged = words.filter((word) => word !== 'declined');
/** Outcomes that surely lead to a point, because not every outcome does: a declined charge has nothing to collect or to pay. */
const leadTo: Readonly<Record<string, { readonly charge?: readonly string[]; readonly payout?: readonly string[] }>> = {
  'billing: looked up': { charge: ['error_not_done', 'timeout_not_done'] },
  'billing: a part is collected': { charge: charged },
  'billing: a dispute is lost': { charge: ['disputed'] },
  'billing: a chunk is reversed': { charge: ['disputed'] },
  'risk: a charge is in doubt': { charge: ['disputed'] },
  // After any charge, its webhook event may arrive before the status check.
  'payouts: looked up': { charge: charged, payout: ['error_not_done', 'timeout_not_done'] },
  'payouts: part taken out': { charge: charged, payout: ['declined'] },
};
const wordsFor = (point: string) => ({
  charge: prng.isOneIn(8) ? words : charged,
  payout: words,
  ...(point.startsWith('payouts: ') ? { charge: charged } : {}),
  ...leadTo[point],
});
const passesMax = 3;
/** Some runs may not crash at their point, but enough of the others do. */
const livesMax = 6 * sizeOf('realCrashes') + points.length;
const lifeMsMax = 40_000;

const prng = randomFrom(seed);

/** The money of one creator from an invoice to the bank, on a service that crashes. */
type Life = {
  readonly biller: Biller;
  readonly creatorId: Id<'crt'>;
  readonly total: number;
  readonly charge: string;
  readonly payout: string;
  /** For failure messages. */
  readonly story: string;
};

/** The shared protocol has each of its points once for charges and once for payouts. */
const pointsOf = (name: string): readonly string[] =>
  name.startsWith('`${kind.module}')
    ? ['billing', 'payouts'].map((module) => `'${name.slice(1, -1).replace('${kind.module}', module)}'`)
    : [name];

test('every crash point of charges and payouts in the source is covered here', () => {
  const sources = readSources('src/**/*.ts').filter(({ path }) => !isTest(path));
  // A paginated loop passes its point on; a point that is not a literal is not in the list.
  const named = sources.flatMap(({ text }) =>
    [...text.matchAll(/(?:\breached\(|\bforEachChunk\(\s*platform,\s*)([^,)]+)/g)].flatMap(([, name = '']) => pointsOf(name)),
  );
  // The end-to-end tests of Stripe's events and of Shopify's orders end the process at their points.
  const ofMoney = named.filter((name) => !/^'(?:stripe|shopify) orders: /.test(name));
  expect(new Set(ofMoney)).toEqual(new Set(['point', ...points.map((point) => `'${point}'`)]));
});

let main: MainProcess;
let kills = 0;

test(
  'a service killed at any step of billing and paying settles after restarts in three passes, without a double charge or payout',
  async () => {
    const { url: databaseUrl, database } = await freshDatabase();
    await database.end();
    const port = await freePort();
    const start = async (dieAt?: string) => {
      main = await startMain(port, { DATABASE_URL: databaseUrl, ...(dieAt === undefined ? {} : { DIE_AT: dieAt }) });
    };
    await start();
    onTestFinished(() => main.kill());
    const service = besideMain(databaseUrl, main.url);
    onTestFinished(() => service.stop());

    const reached = new Set<string>();
    const firstPoint = prng.below(points.length);
    let lives = 0;
    for (; kills < sizeOf('realCrashes') && lives < livesMax; lives += 1) {
      const point = points[(firstPoint + lives) % points.length] ?? '';
      const life = await begin(service, point);
      await main.kill();
      await start(`${point}:1`);
      if (await diesIn(life, service)) reached.add(point);
      // The restarted service may crash again, anywhere, before it has recovered the first crash.
      if (prng.isOneIn(2)) {
        await main.kill();
        await start(`${prng.oneOf(points)}:${1 + prng.below(2)}`);
        await diesIn(life, service);
      }
      await main.kill();
      await start();
      for (let pass = 1; pass <= passesMax && !(await isSettled(life)); pass += 1) await onePass(life, service);
      await judge(life);
    }
    expect(kills).toBeGreaterThanOrEqual(sizeOf('realCrashes'));
    // A run has at most two crashes: at full length each point is covered.
    if (lives >= points.length) expect(points.filter((point) => !reached.has(point))).toEqual([]);
    expect((await verify(service.platform)).filter(({ differences }) => differences.length > 0)).toEqual([]);
    reportMeasurement({
      what: 'kill -9 at a step of a charge or payout',
      measured:
        `${kills} kills in ${lives} rounds at ${reached.size} of ${points.length} steps: 0 double charges, 0 double payouts, ` +
        `all settled in ${passesMax} passes, verify clean`,
      limit: '0 double, 3 passes',
    });
  },
  livesMax * lifeMsMax,
);

async function begin(service: TestService, point: string): Promise<Life> {
  await service.platform.clock.refresh();
  const first = merchantIn(service, await service.seed());
  // All worlds share one database connection: otherwise each run would leave one open.
  await first.database.end();
  const biller = billerOf({ ...first, database: service.platform.database });
  const { database, clock } = service.platform;
  const creatorId = readPublicId('crt', first.world.creator.id);
  invariant(creatorId, 'the seed names its creator');
  const may = wordsFor(point);
  const [charge, payout] = [prng.oneOf(may.charge), prng.oneOf(may.payout)];
  const amounts = Array.from({ length: 1 + prng.below(3) }, () => 1_000 + prng.below(9_000));
  await biller.setPaymentMethod(charge);
  const former = await findPayoutMethod(database, creatorId);
  invariant(former !== null, 'the seed says how its creator is paid');
  await replacePayoutMethod(database, creatorId, clock.now());
  await insertPayoutMethod(database, { ...former, instrument: payout, madeAt: clock.now(), usableFrom: former.usableFrom });
  await biller.billable(...amounts);
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  return { biller, creatorId, total, charge, payout, story: `charge ${charge}, payout ${payout}, of ${total}, dies at ${point}` };
}

/** Whether the process ended because of the planned crash. */
async function diesIn(life: Life, service: TestService): Promise<boolean> {
  const died = main.ended.then(() => true);
  const isDead = await Promise.race([
    died,
    onePass(life, service).then(
      () => false,
      () => died,
    ),
  ]);
  if (isDead) kills += 1;
  return isDead;
}

/** Half a day of the sandbox: invoices, charges, events, webhooks and payouts, as far as there is work. */
async function onePass({ biller, creatorId }: Life, { platform }: TestService): Promise<void> {
  const { merchant } = biller;
  const { store, creator } = merchant.world;
  const resume = async () => {
    await platform.clock.refresh();
    const open = [...(await biller.references()), ...(await payoutsOf(biller, creatorId)).map(({ payoutId }) => publicId('pay', payoutId))];
    for (const reference of open) await endInSandbox(platform, reference, 'succeeded');
    await merchant.moveClock('6h');
  };
  await merchant.api('POST', '/billing-runs', { store_id: store.id, minimum_cents: 0 });
  await resume();
  await merchant.api('POST', '/payout-runs', { creator_id: creator.id, minimum_cents: 0 });
  await resume();
}

type PayoutRow = { readonly payoutId: Id<'pay'>; readonly isNotified: boolean };
const payoutsOf = ({ merchant: { database } }: Biller, creatorId: Id<'crt'>): Promise<readonly PayoutRow[]> =>
  database.all(sql`select payout_id, told_at is not null as is_notified from payouts where creator_id = ${creatorId} order by payout_id`);

/** Nothing is pending, and everything payable was paid. */
async function isSettled(life: Life): Promise<boolean> {
  const { merchant } = life.biller;
  const { open } = await merchant.database.one<{ open: bigint }>(sql`
    select count(*) as open from charges
    where store_id = ${merchant.storeId} and state in ('ready', 'sending', 'pending', 'unknown')`);
  const payouts = await payoutsOf(life.biller, life.creatorId);
  const isCharged = (await life.biller.invoices()).length > 0 && open === 0n;
  const isBrought = life.charge === 'disputed' ? await isTakenBack(life) : life.charge === 'declined' || payouts.length > 0;
  return isCharged && payouts.every(({ isNotified }) => isNotified) && isBrought;
}

/** The bank took the money back before any of it was paid out: the commission is invoiced again. */
async function isTakenBack({ biller }: Life): Promise<boolean> {
  const { storeId, database } = biller.merchant;
  const disputes = await database.all<{ isUndone: boolean }>(
    sql`select undone_at is not null as is_undone from disputes where store_id = ${storeId}`,
  );
  return disputes.length === 1 && disputes.every(({ isUndone }) => isUndone) && Object.keys(await biller.states()).join() === 'billed';
}

/** Compares the provider's own records with the expected result. */
async function judge(life: Life): Promise<void> {
  const { biller, creatorId, total, charge, payout, story } = life;
  const payouts = (await payoutsOf(biller, creatorId)).map(({ payoutId }) => publicId('pay', payoutId));
  const sent = await biller.merchant.database.all<{ amountCents: bigint }>(sql`
    select amount_cents from sandbox_movements
    where kind = 'payout' and status = 'succeeded' and reference = any(${texts(payouts)})`);
  const isPaid = charge !== 'declined' && charge !== 'disputed' && payout !== 'declined';
  const response = {
    settled: await isSettled(life),
    taken: await biller.chargedAmounts(),
    sent: sent.map(({ amountCents }) => Number(amountCents)),
  };
  expect(response, story).toEqual({ settled: true, taken: charge === 'declined' ? [] : [total], sent: isPaid ? [total] : [] });
}
