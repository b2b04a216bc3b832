import { setTimeout as pause } from 'node:timers/promises';
import type { Host } from '../core/database-hosts.ts';
import type { Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { secondMs } from '../core/time.ts';
import { isDatabaseAway } from './connection-errors.ts';
import { isReachable, type Database, type Queryable } from './database.ts';
import { isDistributed } from './distribute.ts';
import { readOwnGroup, readShards, shardOf, type Shard } from './shard-map.ts';
import { errorForLog } from './sql-errors.ts';

/** A server with the rows of some stores. The name is for logs, metrics, and separate queues. */
export type TenantNode = { readonly name: string; readonly database: Database };

/**
 * Sends what concerns one store to the node of a cluster that holds its rows. There, a transaction costs little more than on one
 * PostgreSQL; elsewhere, it costs twice as much and needs both nodes. Every node answers for every store, so an outdated map is slow
 * and not wrong. Without a cluster there is one node, and nothing is looked up.
 */
export type TenantDatabases = {
  readonly nodeOf: (storeId: Id<'store'>) => TenantNode;
  /**
   * Reads tables that every node has a copy of. If a node fails or is slow, the next one is asked. With `home`, DATABASE_URL, as the last
   * one: in a large cluster, the coordinator must not answer what each node can.
   */
  readonly readAnywhere: <Result>(read: (db: Queryable) => Promise<Result>) => Promise<Result>;
  /** Reads the map, and keeps reading it, if the tables are distributed. */
  readonly start: () => Promise<void>;
  /** Reads the map again, because what was sent to a node failed: the store may have moved. */
  readonly suspect: () => void;
  /** The pools of single nodes, by name. */
  readonly pools: () => ReadonlyMap<string, Database>;
  readonly end: () => Promise<void>;
};

export type TenantDatabaseOptions = {
  /** DATABASE_URL: the only database, or the coordinator of a cluster. */
  readonly home: Database;
  readonly openNode: (address: Host) => Database;
  readonly onWarning: (facts: { readonly error: string }, message: string) => void;
};

/** A move of shards is noticed after this time; until then the former node passes queries on. */
const refreshMs = 5 * secondMs;
/** How soon after one reading of the map a failed query may cause the next. */
const suspectMs = 500;
/** A read of a copied table takes a millisecond, so a node that takes longer is overloaded or hangs. */
const nextNodeMs = 300;

type Node = Host & {
  readonly pool: Database;
  /** Uses `home` until the node has been reached once: some networks let only the nodes themselves reach each other. */
  current: TenantNode;
};

export function openTenantDatabases({ home, openNode, onWarning }: TenantDatabaseOptions): TenantDatabases {
  const alone: TenantNode = { name: 'home', database: home };
  let homeGroup: number | null = null;
  let shards: readonly Shard[] = [];
  let nodes: ReadonlyMap<number, Node> = new Map();
  let reading: Promise<void> | null = null;
  let readAt = -Infinity;
  let preferred: Database = home;
  let timer: NodeJS.Timeout | undefined;

  const isOwn = ({ pool }: Node): boolean => pool !== home;
  const isReached = ({ pool, current }: Node): boolean => current.database === pool;

  async function readMap(): Promise<void> {
    readAt = performance.now();
    shards = await readAnywhere(readShards);
    const before = nodes;
    const addresses = new Map(shards.map(({ group, name, port }) => [group, { name, port }]));
    const poolOf = (group: number, address: Host) => (group === homeGroup ? home : openNode(address));
    nodes = new Map([...addresses].map(([group, at]) => [group, nodeAt(at, before.get(group)) ?? newNode(at, poolOf(group, at), home)]));
    for (const [group, node] of before) if (nodes.get(group) !== node && isOwn(node)) close(node.pool);
    await Promise.all([...nodes.values()].filter((node) => !isReached(node)).map((node) => reach(node, onWarning)));
  }
  function close(pool: Database): void {
    if (preferred === pool) preferred = home;
    pool.end().catch(warn);
  }
  const warn = (error: unknown): void =>
    onWarning({ error: errorForLog(error) }, 'the map of the cluster was not read; the last one is used');
  const refresh = (): Promise<void> => (reading ??= readMap().finally(() => (reading = null)));

  async function readAnywhere<Result>(read: (db: Queryable) => Promise<Result>): Promise<Result> {
    if (shards.length === 0) return read(home);
    const others = [...[...nodes.values()].filter(isReached).map(({ pool }) => pool), home].filter((database) => database !== preferred);
    const { database, result } = await firstAnswer([preferred, ...new Set(others)], read);
    preferred = database;
    return result;
  }
  return {
    nodeOf: (storeId) => nodes.get(shardOf(shards, storeId)?.group ?? -1)?.current ?? alone,
    readAnywhere,
    async start() {
      if (!(await isDistributed(home))) return;
      homeGroup = await readOwnGroup(home);
      await refresh();
      preferred = [...nodes.values()][Math.floor(Math.random() * nodes.size)]?.current.database ?? home;
      timer = setInterval(() => void refresh().catch(warn), refreshMs);
      timer.unref();
    },
    suspect() {
      if (shards.length > 0 && performance.now() - readAt > suspectMs) void refresh().catch(warn);
    },
    pools: () => new Map([...nodes.values()].filter(isOwn).map(({ current, pool }) => [current.name, pool])),
    async end() {
      clearInterval(timer);
      await reading?.catch(() => {});
      await Promise.all([...nodes.values()].filter(isOwn).map(({ pool }) => pool.end()));
    },
  };
}

const nodeAt = ({ name, port }: Host, known: Node | undefined): Node | null => (known?.name === name && known.port === port ? known : null);

const newNode = (address: Host, pool: Database, home: Database): Node => ({
  ...address,
  pool,
  current: { name: `${address.name}:${address.port}`, database: home },
});

async function reach(node: Node, onWarning: TenantDatabaseOptions['onWarning']): Promise<void> {
  if (await isReachable(node.pool)) node.current = { ...node.current, database: node.pool };
  else onWarning({ error: node.current.name }, 'a node of the cluster was not reached; the queries of its stores go through DATABASE_URL');
}

type Answered<Result> = { readonly database: Database; readonly result: Result };

/** Asks one database after another until one answers. The next is asked when the last has failed, or has not answered for a while. */
async function firstAnswer<Result>(databases: readonly Database[], read: (db: Queryable) => Promise<Result>): Promise<Answered<Result>> {
  const [database, ...others] = databases;
  invariant(database, 'there is a database to ask');
  const answer = read(database).then((result) => ({ database, result }));
  if (others.length === 0) return answer;
  const waiting = new AbortController();
  const isEarly = await Promise.race([
    answer.then(
      () => true,
      (error: unknown) => !isDatabaseAway(error),
    ),
    pause(nextNodeMs, false, { signal: waiting.signal }).catch(() => false),
  ]);
  waiting.abort();
  if (isEarly) return answer;
  return Promise.any([answer, firstAnswer(others, read)]).catch((error: unknown) => {
    throw error instanceof AggregateError ? error.errors[0] : error;
  });
}
