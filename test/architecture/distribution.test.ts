import pg from 'pg';
import { expect, test } from 'vitest';
import { createBatchPerNode } from '../../src/batch/batch-per-node.ts';
import type { Id } from '../../src/core/ids.ts';
import { distribute, isDistributed, plannedDistributions, distributeTables } from '../../src/db/distribute.ts';
import { migrate, readMigrations } from '../../src/db/migrate.ts';
import { emptyDatabase, freshDatabase, isCluster, testDatabase } from '../support/database.ts';
import { groupOf, groups, readTables, type Table } from './schema.ts';
import { readSources, type Source } from './source.ts';
import { queriesOf, tablesIn, type Query } from './sql.ts';

const tables = readTables(readMigrations());
const server = readSources('src/**/*.ts');

test('distribute.sql spreads every table of a store and of a creator by what its primary key begins with, and no other', () => {
  const planned = plannedDistributions().flatMap(({ table, place }) => (place.is === 'distributed' ? [`${table} by ${place.column}`] : []));
  const expected = [...tables.values()].flatMap((table) => (groupOf(table) === 'global' ? [] : [`${table.name} by ${groupOf(table)}`]));
  expect(planned.toSorted()).toEqual(expected.toSorted());
});

test('every node has a copy of the directories that clicks and postbacks read, and of no table of a store or creator', () => {
  const copied = plannedDistributions().flatMap(({ table, place }) => (place.is === 'copied' ? [table] : []));
  expect(copied).toEqual(['tracking_keys', 'link_codes', 'signing_keys']);
  expect(copied.map((name) => groupOf(tables.get(name)))).toEqual(copied.map(() => 'global'));
});

test('Citus knows every table, so that a transaction that writes tables on two nodes commits on both or on neither', () => {
  const known = plannedDistributions().map(({ table }) => table);
  expect(known.toSorted()).toEqual([...tables.keys()].toSorted());
});

/** Statements over groups that may stand on different machines, each with its reason. None is on the way of a report. */
const joiningGroups: Readonly<Record<string, string>> = {
  'src/payouts/payout-runs-sql.ts payoutsOfRun': "the operators' list; the directory is on the coordinator",
  'src/operations/overview-sql.ts countInstallation': "the operators' overview; two counts side by side",
  'src/reports/general-ledger-sql.ts trialBalance': 'both books side by side, for the accountant',
  'src/risk/same-person-sql.ts listCreatorPeople': 'the risk assessment compares creators with people, a page of creators at a time',
  'src/risk/verify-sql.ts countHolds': 'verification',
  'src/risk/verify-sql.ts payoutsSentDespiteHolds': 'verification',
  'src/payouts/verify-sql.ts payoutsThatDiffer': 'verification',
};

type Tables = ReadonlyMap<string, Table>;

function joinsGroups({ text }: Query, known: Tables): boolean {
  const named = [...new Set(tablesIn(text))].filter((name) => known.has(name));
  return new Set(named.map((name) => groupOf(known.get(name)))).size > 1;
}

/** A row is on the machine of its distribution column and cannot be moved; concurrent writers of one fact must use one machine. */
function placeViolations({ text, location }: Query, known: Tables): readonly string[] {
  const [, updated = '', set = ''] = /\bupdate (?:only )?(\w+)(?: as \w+| \w+)? set (.*?)(?: from | where |$)/.exec(text) ?? [];
  const [, inserted = ''] = /\binsert into (\w+)/.exec(text) ?? [];
  const [, arbiter] = /\bon conflict \(([^)]*)\)/.exec(text) ?? [];
  const columnOf = (name: string) => groups.find((group) => group === groupOf(known.get(name)));
  const [moves, decides] = [columnOf(updated), columnOf(inserted)];
  return [
    ...(moves !== undefined && new RegExp(String.raw`(^|, ?|\()${moves} ?=`).test(set) ? [`${location} moves rows of ${updated}`] : []),
    ...(decides !== undefined && arbiter !== undefined && !arbiter.split(/, ?/).includes(decides)
      ? [`${location} lets a key without ${decides} decide about ${inserted}`]
      : []),
  ];
}

test('a statement asks tables of one group, unless it is named here: groups stand on different machines', () => {
  const joining = new Set(server.flatMap(queriesOf).flatMap((query) => (joinsGroups(query, tables) ? [query.usedBy] : [])));
  expect([...joining].filter((usedBy) => !(usedBy in joiningGroups))).toEqual([]);
  expect(Object.keys(joiningGroups).filter((queries) => !joining.has(queries))).toEqual([]);
});

test('no statement moves a row to another store or creator, and no key decides that has neither in it', () => {
  expect(server.flatMap(queriesOf).flatMap((query) => placeViolations(query, tables))).toEqual([]);
});

const queries = (text: string): Query => {
  const source: Source = { path: 'src/orders/orders-sql.ts', text: `export const question = (db: Queryable) => db.all(sql\`${text}\`);` };
  const [query] = queriesOf(source);
  if (query === undefined) throw new Error('a question is found');
  return query;
};
test.each([
  'update orders set store_id = ${other} where store_id = ${store}',
  'update orders set order_name = null, store_id = ${other} where store_id = ${store}',
  'insert into orders (store_id, order_hash) values (1, 2) on conflict (order_hash) do nothing',
  'insert into payouts (creator_id) values (1) on conflict (payout_id) do nothing',
])('a statement that does is seen: %s', (text) => {
  expect(placeViolations(queries(text), tables)).toHaveLength(1);
});
test('a statement over two groups is seen, and one over one group is none', () => {
  expect(joinsGroups(queries('select 1 from orders o join creators c using (creator_id)'), tables)).toBe(true);
  expect(joinsGroups(queries('select 1 from orders o join commissions c using (store_id)'), tables)).toBe(false);
});

/** A database that Citus does not know, on a server of a cluster too. */
async function undistributedDatabase(): ReturnType<typeof freshDatabase> {
  if (!isCluster) return freshDatabase();
  const url = await emptyDatabase();
  const database = testDatabase(url);
  await migrate(database);
  return { url, database };
}

test('on a server without Citus distribute says what to do and changes nothing', async () => {
  const { database } = await undistributedDatabase();
  await expect(distribute(database)).rejects.toThrow(/Citus.*(Nothing was changed|create extension citus)/);
  expect(await isDistributed(database)).toBe(false);
  await database.end();
});

test('each table is spread once, whatever refers to it, and every foreign key is there again', async () => {
  const { url, database } = await undistributedDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // The stand-in for Citus rejects, as it does, a table that others refer to or that refers to others.
  await client.query(`
    create table pg_dist_partition (logicalrelid oid, partmethod "char");
    create function create_reference_table(name text) returns void language sql as $$
      insert into pg_dist_partition values (name::regclass, 'n')
    $$;
    create function citus_add_local_table_to_metadata(name text) returns void language sql as $$
      insert into pg_dist_partition values (name::regclass, 'n')
    $$;
    create function create_distributed_table(name text, col text, colocate_with text) returns void language plpgsql as $$
    begin
      if exists (select 1 from pg_constraint where contype = 'f' and (conrelid = name::regclass or confrelid = name::regclass)) then
        raise exception '% has foreign keys', name;
      end if;
      insert into pg_dist_partition values (name::regclass, 'h');
    end $$`);
  const keys = async () =>
    (
      await client.query('select conrelid::regclass::text, pg_get_constraintdef(oid) from pg_constraint where contype = $1 order by 1, 2', [
        'f',
      ])
    ).rows;
  const before = await keys();
  await client.query('begin');
  expect(await distributeTables(client)).toHaveLength(plannedDistributions().length);
  await client.query('commit');
  expect(await keys()).toEqual(before);
  expect(await distributeTables(client)).toEqual([]);
  expect(await isDistributed(database)).toBe(true);
  await client.end();
  await database.end();
});

test('stores of two nodes never share a batch, and an outage of one node delays no store of the other', async () => {
  const { database } = await freshDatabase();
  const nodeOf = (storeId: Id<'store'>) => ({ name: storeId.slice(0, 1), database });
  const seen: string[][] = [];
  const suspected: string[] = [];
  const batch = createBatchPerNode<Id<'store'>, null>(
    { nodeOf, suspect: () => void suspected.push('map') },
    {
      lanes: 1,
      lanesAlone: 1,
      sizeMax: 50,
      waitingMax: 1_000,
      deadlineMs: 300,
      storeOf: (storeId) => storeId,
      keysOf: () => [],
      async runBatch(_database, items) {
        seen.push([...new Set(items.map((item) => nodeOf(item).name))]);
        if (seen.at(-1)?.includes('b')) await new Promise((_never, reject) => setTimeout(reject, 400, new Error('away')));
        return items.map(() => null);
      },
      onAttempt: () => {},
    },
  );
  const stores = Array.from({ length: 90 }, (_none, place) => `${'abc'.charAt(place % 3)}${place}` as Id<'store'>);
  const ends = await Promise.all(stores.map(async (storeId) => ({ node: nodeOf(storeId).name, end: await batch.put(storeId) })));
  expect(seen.every(({ length }) => length === 1)).toBe(true);
  expect(ends.every(({ node, end }) => (end.is === 'answered') === (node !== 'b'))).toBe(true);
  await batch.close();
  expect(suspected).toEqual(['map']);
  await database.end();
});
