import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from '../src/db/sql.ts';
import { ordersFor, visitsTo, type Bench, type Contestant, type Entered } from './bench.ts';
import { cpuBetween, cpuTimes, type CpuTimes } from './cpu.ts';
import { median } from './report.ts';
import type { Loaded } from './load.ts';
import type { Orders, Visits } from './requests.ts';
import type { ContestantJob } from './subject.ts';

/** What one request costs at a number of connections. Times are microseconds of CPU, the median of the rounds. */
export type RequestCost = {
  readonly what: 'redirects' | 'postbacks';
  readonly name: string;
  readonly connections: number;
  readonly perSecond: number;
  readonly application: number;
  readonly backends: number;
  readonly background: number;
  readonly gc: number;
  readonly allocatedKilobytes: number;
  readonly statements: number;
  readonly roundTrips: number;
  readonly walBytes: number;
  readonly diskBytes: number;
  readonly residentMegabytes: number;
};

/**
 * Latency at a share of our highest measured throughput. Requests are due at a fixed rate. The baseline answers at the same rate with as
 * little work as possible: its latency is that of the machine and of the load generator.
 */
export type Latency = {
  readonly what: string;
  readonly name: string;
  readonly share: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
};

export type Cost = {
  readonly requests: readonly RequestCost[];
  readonly latencies: readonly Latency[];
  /** Percent of one core without any request. */
  readonly idle: { readonly application: number; readonly postgres: number; readonly residentMegabytes: number };
  /** Requests that were not answered as expected. With any, no cost is valid. */
  readonly failed: number;
};

type Kind = {
  readonly what: RequestCost['what'];
  readonly goodStatus: string;
  readonly names: readonly ContestantJob['name'][];
  readonly baseline: ContestantJob['name'];
  readonly requestsOf: (contestant: Contestant, requestsMax: number) => Visits | Orders;
};
type Measurement = { readonly bench: Bench; readonly postmasterPid: number; readonly kind: Kind };

const connectionCounts = [1, 8, 32, 64, 256];
const connectionsUsual = 32;
const shares = [0.1, 0.25, 0.5, 0.75, 0.9];
const shareWithAim = 0.5;
/** Exactly the period of the schedule, so that the jobs of each minute run once in it. */
const idleSeconds = 60;
const perSecondMax = 10_000;

/** CPU time per request, by process and number of connections; latency at fixed rates; and the cost of an idle service. */
export async function measureCost(bench: Bench, postmasterPid: number): Promise<Cost> {
  const requests: RequestCost[] = [];
  const latencies: Latency[] = [];
  let failed = 0;
  // Before the loads, because PostgreSQL vacuums their tables afterwards.
  const idle = await idleCost(bench, postmasterPid);
  for (const kind of kindsOf(bench)) {
    const measurement = { bench, postmasterPid, kind };
    const measured = await costsOf(measurement);
    failed += measured.failed;
    requests.push(...measured.costs);
    const rates = measured.costs.filter(({ name }) => name === 'ours').map(({ perSecond }) => perSecond);
    latencies.push(...(await latenciesOf(measurement, Math.max(...rates))));
  }
  return { requests, latencies, idle, failed };
}

const kindsOf = ({ signingKey }: Bench): readonly Kind[] => [
  {
    what: 'redirects',
    goodStatus: '302',
    names: ['ours', 'no recording', 'a constant 302'],
    baseline: 'a constant 302',
    requestsOf: ({ store }) => visitsTo(store),
  },
  {
    what: 'postbacks',
    goodStatus: '200',
    names: ['ours', 'one inserted row', 'without the database'],
    baseline: 'without the database',
    requestsOf: ({ store }, ordersMax) => ordersFor(signingKey, store, ordersMax),
  },
];

type Measured = { readonly costs: readonly RequestCost[]; readonly failed: number };
type Served = { readonly cpu: CpuTimes; readonly good: number; readonly loaded: Loaded };
type Round = Served & { readonly walBytes: number; readonly diskBytes: number };

/**
 * All contestants run at the same time and take turns in each round: the CPU time of the same work differs by half within a minute where a
 * machine is shared.
 */
async function costsOf(measurement: Measurement): Promise<Measured> {
  const { bench, kind } = measurement;
  const entered = await Promise.all(kind.names.map((name) => bench.enter(name)));
  const warmUp = { connections: connectionsUsual, seconds: bench.pace.costWarmUpSeconds };
  let failed = 0;
  for (const contestant of entered) failed += failedOf(await load(measurement, contestant, warmUp));
  const costs: RequestCost[] = [];
  for (const connections of connectionCounts) {
    for (const contestant of entered) await contestant.count();
    const turns = entered.map((contestant): { contestant: Entered; rounds: Round[] } => ({ contestant, rounds: [] }));
    for (let round = 0; round < bench.pace.rounds; round++)
      for (const { contestant, rounds } of turns) rounds.push(await loadAndCount(measurement, contestant, connections));
    for (const { contestant, rounds } of turns) {
      costs.push(await costOf(kind, contestant, connections, rounds));
      failed += rounds.reduce((sum, one) => sum + failedOf(one), 0);
    }
  }
  for (const contestant of entered) await contestant.leave();
  return { costs, failed };
}

const failedOf = ({ good, loaded }: Served): number => Object.values(loaded.answers).reduce((sum, count) => sum + count, 0) - good;

async function loadAndCount(measurement: Measurement, contestant: Entered, connections: number): Promise<Round> {
  const before = await storageOf(measurement.bench);
  const served = await load(measurement, contestant, { connections, seconds: measurement.bench.pace.seconds });
  const after = await storageOf(measurement.bench);
  return { ...served, walBytes: after.wal - before.wal, diskBytes: after.disk - before.disk };
}

async function costOf(kind: Kind, contestant: Entered, connections: number, rounds: readonly Round[]): Promise<RequestCost> {
  const residentMegabytes = residentMegabytesOf(contestant.pid);
  const used = await contestant.count();
  const sum = (of: (round: Round) => number) => rounds.reduce((total, round) => total + of(round), 0);
  const good = Math.max(
    1,
    sum((one) => one.good),
  );
  const perRequest = (of: (cpu: CpuTimes) => number) =>
    Math.round(median(rounds.map((one) => (of(one.cpu) * 1_000) / Math.max(1, one.good))));
  return {
    what: kind.what,
    name: contestant.name,
    connections,
    perSecond: Math.round(median(rounds.map((one) => one.good / one.loaded.seconds))),
    application: perRequest((cpu) => cpu.application),
    backends: perRequest((cpu) => cpu.backends),
    background: perRequest((cpu) => cpu.background),
    gc: Math.round((used.gcMs * 1_000) / good),
    allocatedKilobytes: Math.round(used.allocatedBytes / good / 102.4) / 10,
    statements: Math.round((10 * used.statements) / good) / 10,
    roundTrips: Math.round((100 * used.roundTrips) / good) / 100,
    walBytes: Math.round(sum((one) => one.walBytes) / good),
    diskBytes: Math.round(sum((one) => one.diskBytes) / good),
    residentMegabytes,
  };
}

type Given = { readonly connections: number; readonly seconds: number; readonly perSecond?: number };

async function load({ bench, postmasterPid, kind }: Measurement, contestant: Entered, given: Given): Promise<Served> {
  const before = cpuTimes(contestant.pid, postmasterPid);
  const requestsMax = Math.ceil(given.seconds * (given.perSecond ?? perSecondMax));
  const loaded = await bench.load({ port: contestant.port, ...given, requests: kind.requestsOf(contestant, requestsMax) });
  const cpu = cpuBetween(before, cpuTimes(contestant.pid, postmasterPid));
  return { cpu, good: loaded.answers[kind.goodStatus] ?? 0, loaded };
}

async function latenciesOf(measurement: Measurement, capacity: number): Promise<readonly Latency[]> {
  const { bench, kind } = measurement;
  const entered = await Promise.all([bench.enter('ours'), bench.enter(kind.baseline)]);
  for (const contestant of entered)
    await load(measurement, contestant, { connections: connectionsUsual, seconds: bench.pace.costWarmUpSeconds });
  await checkpoint(bench);
  const latencies: Latency[] = [];
  for (const share of shares) {
    const perSecond = Math.max(1, Math.round(capacity * share));
    const seconds = share === shareWithAim ? bench.pace.latencyAimSeconds : bench.pace.latencySeconds;
    for (const contestant of entered) {
      const { loaded } = await load(measurement, contestant, { connections: 256, seconds, perSecond });
      latencies.push({ what: kind.what, name: contestant.name, share, perSecond, p50Ms: loaded.p50Ms, p99Ms: loaded.p99Ms });
    }
  }
  for (const contestant of entered) await contestant.leave();
  return latencies;
}

/**
 * In a new database, each commit that begins another WAL file waits until the file is created. After a checkpoint the files are reused, as
 * in every database that has run for a few minutes. The service may not ask for a checkpoint, but a copied and a dropped database make one.
 */
async function checkpoint({ patient }: Bench): Promise<void> {
  await patient.run(sql`create database checkpoint template template0 strategy file_copy`);
  await patient.run(sql`drop database checkpoint`);
}

async function idleCost(bench: Bench, postmasterPid: number): Promise<Cost['idle']> {
  const contestant = await bench.enter('ours');
  await pause(bench.pace.idleAfterSeconds * 1_000);
  const before = cpuTimes(contestant.pid, postmasterPid);
  await pause(idleSeconds * 1_000);
  const { application, backends, background } = cpuBetween(before, cpuTimes(contestant.pid, postmasterPid));
  const residentMegabytes = residentMegabytesOf(contestant.pid);
  await contestant.leave();
  const percent = (ms: number) => Math.round((100 * ms) / (idleSeconds * 10)) / 100;
  return { application: percent(application), postgres: percent(backends + background), residentMegabytes };
}

async function storageOf({ platform }: Bench): Promise<{ readonly wal: number; readonly disk: number }> {
  const { wal, disk } = await platform.database.one<{ wal: bigint; disk: bigint }>(sql`
    select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint as wal, pg_database_size(current_database()) as disk`);
  return { wal: Number(wal), disk: Number(disk) };
}

const residentMegabytesOf = (pid: number): number =>
  Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024);

type Measure = 'application' | 'backends' | 'perSecond';
type Ratio = {
  readonly of: string;
  readonly what: RequestCost['what'];
  readonly measure: Measure;
  readonly to: string;
  readonly connections: number;
};

/** The aims of the service, as ratios of values from one run, which other load on the machine affects less than the values. */
const ratios: readonly (Ratio & { readonly aim: string })[] = [
  {
    of: 'application CPU time of a redirect',
    what: 'redirects',
    measure: 'application',
    to: 'a constant 302',
    connections: 32,
    aim: 'at most 1.6',
  },
  { of: 'redirects per second', what: 'redirects', measure: 'perSecond', to: 'no recording', connections: 256, aim: 'at least 0.85' },
  {
    of: 'CPU time of PostgreSQL for an order',
    what: 'postbacks',
    measure: 'backends',
    to: 'one inserted row',
    connections: 32,
    aim: 'at most 1.5',
  },
  { of: 'orders per second', what: 'postbacks', measure: 'perSecond', to: 'without the database', connections: 256, aim: 'at least 0.5' },
];

function ratioIn(requests: readonly RequestCost[], { what, measure, to, connections }: Ratio): number {
  const valueOf = (name: string): number =>
    requests.find((one) => one.what === what && one.name === name && one.connections === connections)?.[measure] ?? Number.NaN;
  return valueOf('ours') / valueOf(to);
}

export function describeCost({ requests, latencies, idle, failed }: Cost): string {
  const lines = requests.map(
    (one) =>
      `  ${one.what.padEnd(10)} ${one.name.padEnd(20)} ${String(one.connections).padStart(4)} ${columns(
        one.perSecond,
        one.application,
        one.backends,
        one.background,
        one.gc,
        one.allocatedKilobytes,
        one.statements,
        one.roundTrips,
        one.walBytes,
        one.diskBytes,
        one.residentMegabytes,
      )}`,
  );
  const head = columns('per s', 'app', 'backends', 'other', 'GC', 'kB', 'stmts', 'trips', 'WAL', 'disk', 'MB');
  const open = latencies.map(({ what, name, share, perSecond, p50Ms, p99Ms }) => {
    const rate = `at ${String(share * 100).padStart(2)}% of the highest rate: ${perSecond}/s`;
    return `  ${what.padEnd(10)} ${name.padEnd(20)} ${rate}   p50 ${p50Ms.toFixed(1)} ms   p99 ${p99Ms.toFixed(1)} ms`;
  });
  return [
    '\nCPU time per request in microseconds (GC is a part of app), allocated kB, SQL statements and round trips, bytes of WAL and disk; memory of the process',
    `  ${''.padEnd(36)}${head}`,
    ...lines,
    '\nratios',
    ...ratios.map(
      (one) => `  ${one.of} to ${one.to}, at ${one.connections} connections: ${ratioIn(requests, one).toFixed(2)} (aim: ${one.aim})`,
    ),
    '\nlatency at a fixed rate',
    ...open,
    `\nidle: application ${idle.application}% of a core, PostgreSQL ${idle.postgres}%, ${idle.residentMegabytes} MB`,
    ...(failed === 0 ? [] : [`  NOT VALID: ${failed} requests failed`]),
  ].join('\n');
}

const columns = (...values: ReadonlyArray<string | number>): string => values.map((value) => String(value).padStart(9)).join('');
