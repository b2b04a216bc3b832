import type { Queryable } from '../src/db/database.ts';
import { ordersFor, visitsTo, type Bench, type Contestant, type Entered } from './bench.ts';
import type { ContestantJob, Farewell } from './subject.ts';
import type { Loaded } from './load.ts';
import type { Orders, Visits } from './requests.ts';
import { clicksOf, ordersOf } from './rows-sql.ts';

/** The results of one contestant over all rounds. */
export type ContestantResult = {
  readonly name: string;
  /** Answers per second in each round, in order. */
  readonly perSecond: readonly number[];
  readonly p99Ms: readonly number[];
  /** Successful answers, and all others. */
  readonly good: number;
  readonly bad: number;
  /** Null: it stores nothing. */
  readonly rows: number | null;
  /** Redirects that were answered before their click was on disk. */
  readonly early: number;
  /** CPU time of the server process without the database: the value that other load on the machine affects least. */
  readonly cpuUsPerAnswer: number;
};

export type Comparison = {
  readonly what: string;
  readonly rowsBefore: number;
  readonly results: readonly ContestantResult[];
  readonly aims: readonly { readonly than: string; readonly least: number }[];
  /**
   * Every successful answer has its rows, almost none was sent before its rows, and there are no extra rows. Otherwise no ratio is valid.
   */
  readonly isHonest: boolean;
};

/** Connections, each with one request in progress. */
const connections = 256;
const ordersPerSecondMax = 25_000;

export const compareClicks = (bench: Bench, rowsBefore: number): Promise<Comparison> =>
  compare(bench, {
    what: 'redirects',
    rowsBefore,
    names: ['ours', 'an INSERT per request', 'no recording', 'a constant 302'],
    keepsNothing: ['no recording', 'a constant 302'],
    goodStatus: '302',
    requestsOf: ({ store }) => visitsTo(store),
    rowsOf: (db, { store }) => clicksOf(db, store.storeId),
    aims: [
      { than: 'an INSERT per request', least: 2.5 },
      { than: 'no recording', least: 0.7 },
    ],
  });

export const comparePostbacks = (bench: Bench, rowsBefore: number): Promise<Comparison> =>
  compare(bench, {
    what: 'postbacks',
    rowsBefore,
    names: ['ours', 'seven round trips', 'one statement', 'without the database'],
    keepsNothing: ['without the database'],
    goodStatus: '200',
    requestsOf: ({ store }, seconds) => ordersFor(bench.signingKey, store, seconds * ordersPerSecondMax),
    rowsOf: (db, { store }) => ordersOf(db, store.storeId),
    aims: [
      { than: 'seven round trips', least: 5 },
      { than: 'one statement', least: 2 },
      { than: 'without the database', least: 0.35 },
    ],
  });

type Match = Pick<Comparison, 'what' | 'rowsBefore' | 'aims'> & {
  readonly names: readonly ContestantJob['name'][];
  readonly keepsNothing: readonly string[];
  readonly goodStatus: string;
  readonly requestsOf: (contestant: Contestant, seconds: number) => Visits | Orders;
  readonly rowsOf: (db: Queryable, contestant: Contestant) => Promise<number>;
};

/**
 * Restarts each contestant a few times, because the speed of a process varies by 20% and more and stays constant for its lifetime. Rounds
 * alternate between the running contestants, so that other load on the machine affects all alike.
 */
async function compare(bench: Bench, { what, rowsBefore, names, aims, ...match }: Match): Promise<Comparison> {
  const lives = new Map(names.map((name): [typeof name, Life[]] => [name, []]));
  for (let life = 0; life < bench.pace.lives; life++) {
    const entered = await Promise.all(names.map((name) => bench.enter(name)));
    for (const [contestant, lived] of await liveBesideEachOther(bench, entered, match)) lives.get(contestant.name)?.push(lived);
  }
  const results = [...lives].map(([name, lived]) => resultOf({ name, lives: lived, goodStatus: match.goodStatus }));
  return { what, rowsBefore, results, aims, isHonest: results.every((result) => problemsOf(result).length === 0) };
}

/** The results of one process of a contestant: the warm-up load, the measured loads, and its rows. */
type Life = {
  readonly warmUp: Loaded;
  readonly measured: readonly Loaded[];
  readonly rows: number | null;
  readonly farewell: Farewell;
};

async function liveBesideEachOther(
  bench: Bench,
  entered: readonly Entered[],
  match: Pick<Match, 'keepsNothing' | 'requestsOf' | 'rowsOf'>,
): Promise<ReadonlyMap<Entered, Life>> {
  const { lives: livesInAll, rounds, seconds, warmUpSeconds } = bench.pace;
  const run = (contestant: Contestant, forSeconds: number) =>
    bench.load({ port: contestant.port, connections, seconds: forSeconds, requests: match.requestsOf(contestant, forSeconds) });
  const loads = new Map<Entered, { readonly warmUp: Loaded; readonly measured: Loaded[] }>();
  for (const contestant of entered) loads.set(contestant, { warmUp: await run(contestant, warmUpSeconds), measured: [] });
  for (let round = 0; round < Math.ceil(rounds / livesInAll); round++) {
    for (const [contestant, { measured }] of loads) measured.push(await run(contestant, seconds));
  }
  const lives = new Map<Entered, Life>();
  for (const [contestant, loaded] of loads) {
    const farewell = await contestant.leave();
    const rows = match.keepsNothing.includes(contestant.name) ? null : await match.rowsOf(bench.platform.database, contestant);
    lives.set(contestant, { ...loaded, rows, farewell });
  }
  return lives;
}

/** A busy machine delays a few commits, whose redirects are answered before them; with more than a few, the result is invalid. */
const earlyShareMax = 0.01;
/** Why the result of a contestant may not be compared; empty if it may. */
export function problemsOf({ name, good, bad, rows, early }: ContestantResult): readonly string[] {
  return [
    ...(bad > 0 ? [`${name}: ${bad} requests failed`] : []),
    ...(rows !== null && rows !== good ? [`${name}: ${good} successful answers, but ${rows} rows`] : []),
    ...(early > good * earlyShareMax ? [`${name}: ${early} of ${good} requests were answered before their rows were committed`] : []),
  ];
}

type Lived = { readonly name: string; readonly lives: readonly Life[]; readonly goodStatus: string };

/** Warm-up answers count for the rows, not for the speed. */
function resultOf({ name, lives, goodStatus }: Lived): ContestantResult {
  const measured = lives.flatMap((life) => life.measured);
  const answers = [...lives.map(({ warmUp }) => warmUp), ...measured].flatMap((load) => Object.entries(load.answers));
  const sum = (isGood: boolean) =>
    answers.filter(([status]) => (status === goodStatus) === isGood).reduce((all, [, count]) => all + count, 0);
  const sumOf = (of: (life: Life) => number) => lives.reduce((all, life) => all + of(life), 0);
  return {
    name,
    perSecond: measured.map((load) => Math.round((load.answers[goodStatus] ?? 0) / load.seconds)),
    p99Ms: measured.map(({ p99Ms }) => Math.round(p99Ms * 10) / 10),
    good: sum(true),
    bad: sum(false),
    rows: lives.some(({ rows }) => rows === null) ? null : sumOf(({ rows }) => rows ?? 0),
    early: sumOf(({ farewell }) => farewell.early),
    cpuUsPerAnswer: Math.round((sumOf(({ farewell }) => farewell.cpuMs) * 1_000) / Math.max(1, sum(true) + sum(false))),
  };
}
