import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { env, exit } from 'node:process';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { invariant } from '../src/core/invariant.ts';
import { distribute } from '../src/db/distribute.ts';
import { openTenantDatabases } from '../src/db/tenant-database.ts';
import { openBench, openBenchStore, runName, type Bench, type BenchStore } from './bench.ts';
import { startFlags } from '../scripts/start-arguments.ts';
import { startChild, type Child } from './child.ts';
import type { Loaded } from './load.ts';
import { foreignLoad } from './machine.ts';
import type { Load } from './requests.ts';
import { clicksOf, ordersOf } from './rows-sql.ts';
import type { ContestantJob } from './subject.ts';

const usage = `npm run bench:cluster -- [--rounds N] [--seconds N] [--stores N]

Postbacks and clicks on one PostgreSQL and on a Citus cluster with the same number of cores, in interleaved rounds, and the CPU time of
each node. All servers run on this machine, because CPU time is read from /proc.

  PLAIN_URL      an empty database on a server that is no node of the cluster, as a superuser
  CITUS_URL      an empty database with Citus on the coordinator, as a superuser
  CITUS_WORKERS  the same database on the workers, with commas between the URLs
`;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '4' },
    stores: { type: 'string', default: '4' },
    help: { type: 'boolean', default: false },
  },
});
const { PLAIN_URL: plainUrl = '', CITUS_URL: citusUrl = '', CITUS_WORKERS: workerUrls = '' } = env;
if (values.help || [plainUrl, citusUrl, workerUrls].includes('')) {
  process.stdout.write(usage);
  exit(values.help ? 0 : 2);
}
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const storesMin = Number(values.stores);
/** In all, divided among the stores. */
const connections = 64;
/** Below the rate of any machine that this runs on, so that orders are built quickly. */
const ordersPerSecondMax = 4_000;
/** The unit of /proc/<pid>/stat. */
const tickMs = 10;

type Server = { readonly name: string; readonly pid: number };
type Side = {
  readonly name: 'one PostgreSQL' | 'cluster';
  readonly bench: Bench;
  readonly stores: readonly BenchStore[];
  readonly servers: readonly Server[];
  readonly service: Child;
  readonly port: number;
};
type Kind = 'postbacks' | 'clicks';
type Round = {
  readonly perSecond: number;
  readonly good: number;
  readonly bad: number;
  readonly p99Ms: number;
  readonly cpuMs: ReadonlyMap<string, number>;
};

const secretKey = randomBytes(32);
const sides = [await openSide('one PostgreSQL', [['server', plainUrl]]), await openSide('cluster', clusterNodes())];
try {
  say(`busy before: ${await foreignLoad()}; ${rounds} rounds of ${seconds} s, ${storesMin} or more stores, ${connections} connections`);
  for (const kind of ['postbacks', 'clicks'] as const) {
    report(kind, await measureRounds(kind));
  }
  say(`busy after: ${await foreignLoad()}`);
  for (const side of sides) await requireHonest(side);
} finally {
  for (const { service, bench } of sides) {
    service.letGo();
    await service.ended;
    await bench.close();
  }
}

function clusterNodes(): ReadonlyArray<readonly [name: string, url: string]> {
  return [['coordinator', citusUrl], ...workerUrls.split(',').map((url, place) => [`worker ${place + 1}`, url] as const)];
}

async function openSide(name: Side['name'], nodes: ReadonlyArray<readonly [name: string, url: string]>): Promise<Side> {
  const [[, databaseUrl] = []] = nodes;
  invariant(databaseUrl, 'a side has a database');
  const pace = {
    warmUpSeconds: 0,
    costWarmUpSeconds: 0,
    idleAfterSeconds: 0,
    lives: 1,
    rounds,
    seconds,
    latencySeconds: 0,
    latencyAimSeconds: 0,
  };
  const bench = await openBench({ databaseUrl, secretKey, profileFolder: null, pace });
  const { platform } = bench;
  if (name === 'cluster') await distribute(platform.database);
  const tenants = openTenantDatabases({ home: platform.database, openNode: () => platform.database, onWarning: () => {} });
  await tenants.start();
  const stores: BenchStore[] = [];
  const nodesWithStores = () => new Set(stores.map(({ storeId }) => tenants.nodeOf(storeId).name)).size;
  while (stores.length < storesMin || nodesWithStores() < Math.max(1, nodes.length - 1)) stores.push(await openBenchStore(platform));
  const job: ContestantJob = { name: 'ours', databaseUrl, secretKey: secretKey.toString('base64'), environment: { ROLE: 'web' } };
  const service = startChild(new URL('./subject.ts', import.meta.url), job, startFlags);
  const port = Number(await service.line());
  const servers = await Promise.all(nodes.map(async ([node, url]) => ({ name: node, pid: await postmasterOf(url) })));
  return { name, bench, stores, servers, service, port };
}

async function postmasterOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ text: string }>(`select pg_read_file('postmaster.pid') as text`);
  await client.end();
  const pid = Number(rows[0]?.text.split('\n')[0]);
  invariant(existsSync(`/proc/${pid}/stat`), 'the servers run on this machine');
  return pid;
}

async function measureRounds(kind: Kind): Promise<ReadonlyMap<Side, readonly Round[]>> {
  for (const side of sides) await measure(side, kind);
  const results = new Map<Side, Round[]>(sides.map((side) => [side, []]));
  for (let round = 0; round < rounds; round++) {
    // Every other round begins with the other side.
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) results.get(side)?.push(await measure(side, kind));
  }
  return results;
}

/** Each store is loaded by a process of its own. */
async function measure({ stores, port, servers, bench }: Side, kind: Kind): Promise<Round> {
  const run = runName();
  const before = new Map(servers.map(({ name, pid }) => [name, cpuMsOf(pid)]));
  const loads = await Promise.all(
    stores.map((store) => {
      const load: Load = {
        port,
        seconds,
        connections: Math.ceil(connections / stores.length),
        requests: requestsOf(bench, store, kind, run),
      };
      return bench.load(load);
    }),
  );
  const cpuMs = new Map(servers.map(({ name, pid }) => [name, cpuMsOf(pid) - (before.get(name) ?? 0)]));
  const good = sum(loads, ({ answers }) => answers[kind === 'clicks' ? '302' : '200'] ?? 0);
  const all = sum(loads, ({ answers }) => Object.values(answers).reduce((total, count) => total + count, 0));
  const perSecond = sum(loads, (loaded) => (loaded.answers[kind === 'clicks' ? '302' : '200'] ?? 0) / loaded.seconds);
  return { perSecond, good, bad: all - good, p99Ms: Math.max(...loads.map(({ p99Ms }) => p99Ms)), cpuMs };
}

function requestsOf({ signingKey }: Bench, store: BenchStore, kind: Kind, run: string): Load['requests'] {
  if (kind === 'clicks') return { are: 'visits', code: store.code };
  const { trackingKey, postbackKey, linkNumber } = store;
  const ordersMax = Math.ceil((seconds * ordersPerSecondMax) / storesMin);
  return { are: 'orders', trackingKey, postbackKey, linkNumber: linkNumber.toString(), signingKey, run, ordersMax, discountCode: null };
}

function sum(loads: readonly Loaded[], count: (loaded: Loaded) => number): number {
  return loads.reduce((total, loaded) => total + count(loaded), 0);
}

/** The CPU time of a server: of its processes, and of those that have ended. */
function cpuMsOf(postmaster: number): number {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const times = all.flatMap((pid) => {
    const path = `/proc/${pid}/stat`;
    if (!existsSync(path)) return [];
    const fields = readFileSync(path, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    const [parent = 0, own = 0, kernel = 0, ended = 0, endedKernel = 0] = [fields[1], fields[11], fields[12], fields[13], fields[14]];
    if (Number(pid) === postmaster) return [own + kernel + ended + endedKernel];
    return parent === postmaster ? [own + kernel] : [];
  });
  return times.reduce((total, time) => total + time, 0) * tickMs;
}

function report(kind: Kind, results: ReadonlyMap<Side, readonly Round[]>): void {
  const medians = new Map<string, number>();
  for (const [side, all] of results) {
    const rates = all.map(({ perSecond }) => Math.round(perSecond));
    medians.set(side.name, medianOf(rates));
    const good = all.reduce((total, round) => total + round.good, 0);
    const bad = all.reduce((total, round) => total + round.bad, 0);
    const p99Ms = Math.round(medianOf(all.map((round) => round.p99Ms)));
    say(`${kind}, ${side.name}: ${medianOf(rates)}/s (${rates.join(' ')}), p99 ${p99Ms} ms, ${bad} failed of ${good + bad}`);
    const perNode = side.servers.map(({ name }) => ({ name, ms: all.reduce((total, { cpuMs }) => total + (cpuMs.get(name) ?? 0), 0) }));
    const total = perNode.reduce((whole, { ms }) => whole + ms, 0);
    for (const { name, ms } of perNode) {
      say(`  ${name}: ${((ms * 10) / good).toFixed(2)} CPU seconds per 10,000 (${((ms * 100) / total).toFixed(1)}% of the servers)`);
    }
  }
  const ratio = (medians.get('cluster') ?? 0) / (medians.get('one PostgreSQL') ?? 1);
  say(`${kind}: the cluster has ${ratio.toFixed(2)} times the rate of one PostgreSQL (aim: at least 0.6)`);
}

/** Each answered request has all its rows. */
async function requireHonest({ name, bench, stores }: Side): Promise<void> {
  for (const { storeId } of stores) {
    const orders = await ordersOf(bench.patient, storeId);
    const clicks = await clicksOf(bench.patient, storeId);
    invariant(Number.isFinite(clicks), 'every click is counted once');
    say(`${name}: a store has ${orders} orders and ${clicks} clicks, each with its rows`);
  }
}

function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
