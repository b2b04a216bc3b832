import { randomBytes } from 'node:crypto';
import { openKeyRing } from '../src/clicks/signing-keys.ts';
import { readConfig } from '../src/core/config.ts';
import { jobTimeouts, openDatabase, type Database } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';
import { readPublicId, type Id } from '../src/core/ids.ts';
import { createLog } from '../src/core/log.ts';
import { invariant } from '../src/core/invariant.ts';
import type { Platform } from '../src/runtime/platform.ts';
import { perOrder, seedWorld } from '../src/commands/seed/seed.ts';
import { createDiscountCode } from '../src/creators/discount-codes.ts';
import { isRefusal } from '../src/http/responses.ts';
import { noSubjects } from '../src/merchants/decide-terms.ts';
import { addTerms } from '../src/merchants/program-terms.ts';
import { clicksOnly } from '../src/merchants/terms.ts';
import { openPlatform, startService } from '../src/app/server.ts';
import { startFlags } from '../scripts/start-arguments.ts';
import { startChild } from './child.ts';
import type { ContestantJob, Counted, Farewell } from './subject.ts';
import { hasWrk, loadByWrk } from './load-by-wrk.ts';
import type { Loaded } from './load.ts';
import type { Load, Orders, Visits } from './requests.ts';

export type Pace = {
  /** Warm-up time. After one second the first round was often still the slowest. */
  readonly warmUpSeconds: number;
  /** Before CPU times are measured: V8 optimizes code during the first tens of thousands of requests of a process. */
  readonly costWarmUpSeconds: number;
  /**
   * Before the cost of an idle service is measured. A start leaves work for the first minutes: caches, the first runs of the jobs, a
   * vacuum, and full garbage collections.
   */
  readonly idleAfterSeconds: number;
  /** How often each contestant is restarted; its rounds are divided among the restarts. */
  readonly lives: number;
  readonly rounds: number;
  readonly seconds: number;
  /** Of each fixed rate. In four seconds, a single pause of 40 ms delays more than 1 % of the requests. */
  readonly latencySeconds: number;
  /** Of the rate whose latency has an aim: long enough to include checkpoints and vacuums. */
  readonly latencyAimSeconds: number;
};
/** A separate store for each contestant, so that its rows can be distinguished. */
export type BenchStore = {
  readonly storeId: Id<'store'>;
  readonly code: string;
  readonly linkNumber: bigint;
  readonly trackingKey: string;
  readonly postbackKey: string;
  /** What each order names. */
  readonly discountCode: string | null;
};
export type Contestant = { readonly name: ContestantJob['name']; readonly store: BenchStore; readonly port: number };
export type Entered = Contestant & {
  readonly pid: number;
  /** What it used since it was last asked. */
  readonly count: () => Promise<Counted>;
  readonly leave: () => Promise<Farewell>;
};

export type Bench = {
  readonly platform: Platform;
  /** The deadline of the preparation, which is not measured. */
  readonly patient: Database;
  readonly pace: Pace;
  /** The secret that signs click IDs, so that the load can mint its own. */
  readonly signingKey: string;
  readonly enter: (name: ContestantJob['name']) => Promise<Entered>;
  readonly load: (load: Load) => Promise<Loaded>;
  readonly close: () => Promise<void>;
};

const timeoutMs = 1_800_000;

type BenchOptions = {
  /** Whether the terms count discount codes and returning customers, and orders name a code. */
  readonly countsCodes?: boolean;
  readonly databaseUrl: string;
  readonly secretKey: Buffer;
  readonly profileFolder: string | null;
  readonly pace: Pace;
};

export async function openBench({ databaseUrl, secretKey, profileFolder, pace, countsCodes = false }: BenchOptions): Promise<Bench> {
  const read = readConfig({ PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'warn' }, '/');
  invariant(read.is === 'good', 'the settings of the benchmark are valid');
  const options = { config: read.config, databaseUrl, secretKey, log: createLog(read.config.logLevel) };
  // Started once for its migrations, keys and partitions.
  await (await startService({ ...options, dashboardsFolder: null })).stop();
  const platform = openPlatform(options);
  const timeOuts = { ...jobTimeouts, statementMs: timeoutMs };
  const patient = openDatabase({ url: databaseUrl, name: 'bench', connectionsMax: 2, timeouts: timeOuts, onIdleError: () => {} });
  const ring = await openKeyRing(platform);
  ring.close();
  const signingKey = ring.keys().at(-1)?.key.export().toString('hex');
  invariant(signingKey !== undefined && ring.keys().length === 1, 'a fresh installation has one key');
  const profiled = profileFolder === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];
  const isWrkHere = hasWrk();
  return {
    platform,
    patient,
    pace,
    signingKey,
    async enter(name) {
      const store = await openBenchStore(platform);
      if (countsCodes) await countCodes(platform, store);
      const job: ContestantJob = { name, databaseUrl, secretKey: secretKey.toString('base64') };
      const flags = name === 'ours' ? [...startFlags, ...profiled] : startFlags;
      const child = startChild(new URL('./subject.ts', import.meta.url), job, flags);
      const port = Number(await child.line());
      const count = async () => {
        child.count();
        return JSON.parse(await child.line()) as Counted;
      };
      const leave = async () => {
        child.letGo();
        const farewell = JSON.parse(await child.line()) as Farewell;
        await child.ended;
        return farewell;
      };
      return { name, store: { ...store, discountCode: countsCodes ? benchCode : null }, port, pid: child.pid, count, leave };
    },
    async load(load) {
      // wrk has no open loop.
      if (isWrkHere && load.perSecond === undefined) return loadByWrk(load);
      const child = startChild(new URL('./load.ts', import.meta.url), load);
      const loaded = JSON.parse(await child.line()) as Loaded;
      await child.ended;
      return loaded;
    },
    async close() {
      await patient.end();
      await platform.database.end();
    },
  };
}

export async function openBenchStore(platform: Platform): Promise<BenchStore> {
  const world = await seedWorld(platform);
  const { code } = world.link;
  const storeId = readPublicId('store', world.store.id);
  invariant(storeId, 'the seed names its store');
  const { linkNumber } = await platform.database.one<{ linkNumber: bigint }>(
    sql`select link_number from links where store_id = ${storeId} and code = ${code}`,
  );
  return { storeId, code, linkNumber, trackingKey: world.store.tracking_key, postbackKey: world.store.postback_key, discountCode: null };
}

const benchCode = 'BENCH10';

/** The code belongs to the creator of the clicks, so that both ways record the same orders and commissions. */
async function countCodes({ database, clock }: Platform, { storeId, linkNumber }: BenchStore): Promise<void> {
  const at = clock.now();
  const { programId, creatorId } = await database.one<{ programId: Id<'prog'>; creatorId: Id<'crt'> }>(
    sql`select program_id, creator_id from links where store_id = ${storeId} and link_number = ${linkNumber}`,
  );
  await database.transaction(async (tx) => {
    const returning = { days: 90, ordersMax: null, newClick: 'first_partner' } as const;
    const attribution = { ...clicksOnly, codes: 'before_click', returning } as const;
    const terms = await addTerms(
      tx,
      { storeId, programId },
      { ...perOrder, attribution, effectiveFrom: undefined },
      { subjects: noSubjects, at },
    );
    const settings = { isShared: false, validFrom: null, validUntil: null, ordersPerCustomer: null };
    const code = await createDiscountCode(tx, { storeId, programId, creatorId, code: benchCode, ...settings, at });
    invariant(!isRefusal(terms) && !isRefusal(code), 'the terms and the code are valid');
  });
}

/** For IDs that no other run has. */
export const runName = (): string => randomBytes(6).toString('hex');

export const visitsTo = ({ code }: BenchStore): Visits => ({ are: 'visits', code });

export const ordersFor = (signingKey: string, store: BenchStore, ordersMax: number): Orders => ({
  are: 'orders',
  trackingKey: store.trackingKey,
  postbackKey: store.postbackKey,
  linkNumber: store.linkNumber.toString(),
  discountCode: store.discountCode,
  signingKey,
  run: runName(),
  ordersMax,
});
