import type { Queryable, Transaction } from '../db/database.ts';
import { findCreatorsNamed } from '../creators/search-creators-sql.ts';
import { queryByStore, runByStore } from '../db/by-store.ts';
import { prefixPattern } from '../db/like-pattern.ts';
import { afterKey, orderBy, orderOf, type ListOrder, type ListSorts, type SortColumn } from '../db/list-order.ts';
import { searchInOrder } from '../db/search-in-order.ts';
import { isLegalChange } from '../db/state-sql.ts';
import { insertRows, sortedByKey } from '../db/insert-rows.ts';
import { bigints, byteas, emptySql, inserting, ints, jsonbs, sql, type Sql, texts, timestamps, uuids } from '../db/sql.ts';
import type { Page } from '../http/page.ts';
import type { Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { fromRelationshipRow, toRelationshipRow, type RelationshipRow } from './relationship-row.ts';
import { relationshipTransitions, type RelationshipState } from './relationship-states.ts';
import type { Relationship, RelationshipKey } from './relationship.ts';

const columns = sql`store_id, relationship_hash, relationship_id, binding_id, bind_event_id, environment, click_id, link_number, program_id,
  creator_id, first_product_id, first_price_id, product_id, price_id, bound_at, recorded_at, basis_points, flat_cents, max_invoices,
  max_months, terms_version, attribution_days, hold_days, auto_approve_days, paid_invoices, earning_invoices, state, ended_recorded_at,
  end_occurred_at, end_reason, held_reason, held_since, held_product_id, held_price_id, rule,
  touch_hash, attribution`;

const hashesOf = (keys: readonly RelationshipKey[]) => keys.map(({ relationshipHash }) => relationshipHash);

/**
 * Locks rows in the order of their keys. Everything that belongs to a relationship is changed under this lock. If `lockWaitMs` is 0, it
 * skips rows that another transaction has locked; otherwise it waits for them.
 */
export async function lockRelationships(tx: Transaction, keys: readonly RelationshipKey[], lockWaitMs: number): Promise<RelationshipKey[]> {
  if (keys.length === 0) return [];
  if (lockWaitMs > 0) await tx.run(sql`select set_config('lock_timeout', ${`${lockWaitMs}ms`}, true)`);
  return queryByStore(keys, (storeId, ofStore) => {
    const rows = sql`
      select store_id, relationship_hash from relationships
      where store_id = ${storeId} and relationship_hash = any(${byteas(hashesOf(ofStore))})
      order by relationship_hash`;
    return tx.all<RelationshipKey>(lockWaitMs > 0 ? sql`${rows} for update` : sql`${rows} for update skip locked`);
  });
}

/** Uses the primary key. It runs after the lock, because the snapshot of one statement would be older than its lock. */
export async function relationshipsByHash(db: Queryable, keys: readonly RelationshipKey[]): Promise<Relationship[]> {
  const rows = await queryByStore(keys, (storeId, ofStore) =>
    db.all<RelationshipRow>(sql`
      select ${columns} from relationships where store_id = ${storeId} and relationship_hash = any(${byteas(hashesOf(ofStore))})`),
  );
  return rows.map(fromRelationshipRow);
}

/** Returns the number of new rows. Rows are sorted by the only unique key, so that two batches cannot deadlock. */
export async function insertRelationships(tx: Transaction, relationships: readonly Relationship[]): Promise<number> {
  const keyText = ({ storeId, relationshipHash }: RelationshipKey): string => `${storeId} ${relationshipHash.toString('latin1')}`;
  const rows = sortedByKey(relationships, keyText).map(toRelationshipRow);
  const of = <Value>(value: (row: RelationshipRow) => Value) => rows.map(value);
  return insertRows(
    tx,
    inserting`
      insert into relationships (store_id, relationship_hash, relationship_id, binding_id, bind_event_id, environment, click_id,
        link_number, program_id, creator_id, first_product_id, first_price_id, product_id, price_id, bound_at, recorded_at, basis_points,
        flat_cents, max_invoices, max_months, terms_version, attribution_days, hold_days, auto_approve_days, paid_invoices,
        earning_invoices, state, ended_recorded_at, end_occurred_at, end_reason, held_reason, held_since, held_product_id, held_price_id,
        rule, touch_hash, attribution)
      ${[
        uuids(of(({ storeId }) => storeId)),
        byteas(of(({ relationshipHash }) => relationshipHash)),
        texts(of(({ relationshipId }) => relationshipId)),
        uuids(of(({ bindingId }) => bindingId)),
        uuids(of(({ bindEventId }) => bindEventId)),
        texts(of(({ environment }) => environment)),
        uuids(of(({ clickId }) => clickId)),
        bigints(of(({ linkNumber }) => linkNumber)),
        uuids(of(({ programId }) => programId)),
        uuids(of(({ creatorId }) => creatorId)),
        texts(of(({ firstProductId }) => firstProductId)),
        texts(of(({ firstPriceId }) => firstPriceId)),
        texts(of(({ productId }) => productId)),
        texts(of(({ priceId }) => priceId)),
        timestamps(of(({ boundAt }) => boundAt)),
        timestamps(of(({ recordedAt }) => recordedAt)),
        ints(of(({ basisPoints }) => basisPoints)),
        bigints(of(({ flatCents }) => flatCents)),
        ints(of(({ maxInvoices }) => maxInvoices)),
        ints(of(({ maxMonths }) => maxMonths)),
        ints(of(({ termsVersion }) => termsVersion)),
        ints(of(({ attributionDays }) => attributionDays)),
        ints(of(({ holdDays }) => holdDays)),
        ints(of(({ autoApproveDays }) => autoApproveDays)),
        ints(of(({ paidInvoices }) => paidInvoices)),
        ints(of(({ earningInvoices }) => earningInvoices)),
        texts(of(({ state }) => state)),
        timestamps(of(({ endedRecordedAt }) => endedRecordedAt)),
        timestamps(of(({ endOccurredAt }) => endOccurredAt)),
        texts(of(({ endReason }) => endReason)),
        texts(of(({ heldReason }) => heldReason)),
        timestamps(of(({ heldSince }) => heldSince)),
        texts(of(({ heldProductId }) => heldProductId)),
        texts(of(({ heldPriceId }) => heldPriceId)),
        jsonbs(of(({ rule }) => rule && JSON.stringify(rule))),
        byteas(of(({ touchHash }) => touchHash)),
        jsonbs(of(({ attribution }) => attribution && JSON.stringify(attribution))),
      ]}
      on conflict do nothing`,
  );
}

/** Updates the columns that can change, to a state that the table of transitions allows. The caller must hold the row locks. */
export async function updateRelationships(tx: Transaction, relationships: readonly Relationship[]): Promise<void> {
  const touched = await runByStore(relationships, (storeId, ofStore) => updateInStore(tx, storeId, ofStore.map(toRelationshipRow)));
  invariant(touched === relationships.length, 'a locked relationship is still in the state that the decision was based on');
}

function updateInStore(tx: Transaction, storeId: Id<'store'>, rows: readonly RelationshipRow[]): Promise<number> {
  const of = <Value>(value: (row: RelationshipRow) => Value) => rows.map(value);
  return tx.run(sql`
    update relationships set product_id = changed.product_id, price_id = changed.price_id, paid_invoices = changed.paid_invoices,
      earning_invoices = changed.earning_invoices, state = changed.state, ended_recorded_at = changed.ended_recorded_at,
      end_occurred_at = changed.end_occurred_at, end_reason = changed.end_reason, held_reason = changed.held_reason,
      held_since = changed.held_since, held_product_id = changed.held_product_id, held_price_id = changed.held_price_id
    from unnest(
      ${byteas(of(({ relationshipHash }) => relationshipHash))},
      ${texts(of(({ productId }) => productId))}, ${texts(of(({ priceId }) => priceId))},
      ${ints(of(({ paidInvoices }) => paidInvoices))}, ${ints(of(({ earningInvoices }) => earningInvoices))},
      ${texts(of(({ state }) => state))}, ${timestamps(of(({ endedRecordedAt }) => endedRecordedAt))},
      ${timestamps(of(({ endOccurredAt }) => endOccurredAt))}, ${texts(of(({ endReason }) => endReason))},
      ${texts(of(({ heldReason }) => heldReason))}, ${timestamps(of(({ heldSince }) => heldSince))},
      ${texts(of(({ heldProductId }) => heldProductId))}, ${texts(of(({ heldPriceId }) => heldPriceId))}
    ) as changed (relationship_hash, product_id, price_id, paid_invoices, earning_invoices, state, ended_recorded_at,
      end_occurred_at, end_reason, held_reason, held_since, held_product_id, held_price_id)
    where relationships.store_id = ${storeId} and relationships.relationship_hash = changed.relationship_hash
      and ${isLegalChange(relationshipTransitions, { before: sql`relationships.state`, after: sql`changed.state` })}`);
}

type Binding = { readonly storeId: Id<'store'>; readonly bindingId: Id<'bind'> };

/** A caller that decides by it must hold its lock. Test relationships appear in the tracking log only. */
export async function liveRelationship(db: Queryable, { storeId, bindingId }: Binding): Promise<Relationship | null> {
  const row = await db.find<RelationshipRow>(sql`
    select ${columns} from relationships where store_id = ${storeId} and binding_id = ${bindingId} and environment = 'live'`);
  return row && fromRelationshipRow(row);
}

export type RelationshipFilter = {
  readonly state: RelationshipState | null;
  readonly isHeld: boolean | null;
  readonly creatorId: Id<'crt'> | null;
  /** The beginning of the merchant's ID, or a part of the creator's name. */
  readonly search: string | null;
};

const bindingColumn: SortColumn<Relationship> = { expression: sql`binding_id`, type: 'uuid', value: ({ bindingId }) => bindingId };

/** IDs of bindings grow with the time of recording. By `bound_at`: the index relationships_by_bound. */
export const relationshipSorts: ListSorts<Relationship> = {
  columns: {
    recorded_at: bindingColumn,
    bound_at: { expression: sql`bound_at`, type: 'time', value: ({ boundAt }) => boundAt },
  },
  unique: bindingColumn,
  defaultSort: '-recorded_at',
};

const newestFirst = orderOf(relationshipSorts);

/** Each sort and each filter has its index: recording, bound, creator, beginning of the merchant's ID, held. */
export async function listRelationships(
  db: Queryable,
  storeId: Id<'store'>,
  filter: RelationshipFilter,
  { after, limit, order = newestFirst }: Page & { readonly order?: ListOrder<Relationship> },
): Promise<Relationship[]> {
  const sorted = orderBy(order);
  const rows = sql`
    from relationships where store_id = ${storeId} and environment = 'live' ${fieldConditions(filter)} ${afterKey(order, after)}`;
  const found =
    filter.search === null
      ? await db.all<RelationshipRow>(sql`select ${columns} ${rows} ${sorted} limit ${limit + 1}`)
      : await searchInOrder<RelationshipRow>(db, {
          columns,
          rows,
          condition: await searchCondition(db, storeId, filter.search),
          sorted,
          limit: limit + 1,
        });
  return found.map(fromRelationshipRow);
}

/** Counts at most `most` + 1, by the same index as the list. */
export async function countRelationships(db: Queryable, storeId: Id<'store'>, filter: RelationshipFilter, most: number): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(sql`
    select count(*) as count from (
      select 1 from relationships
      where store_id = ${storeId} and environment = 'live' ${await matching(db, storeId, filter)} limit ${most + 1}) as found`);
  return Number(count);
}

async function matching(db: Queryable, storeId: Id<'store'>, filter: RelationshipFilter): Promise<Sql> {
  const { search } = filter;
  return search === null ? fieldConditions(filter) : sql`${fieldConditions(filter)} and ${await searchCondition(db, storeId, search)}`;
}

const fieldConditions = ({ state, isHeld, creatorId }: RelationshipFilter): Sql => sql`
  ${when(state, (word) => sql`and state = ${word}`)}
  ${when(isHeld, (held) => (held ? sql`and held_reason is not null` : sql`and held_reason is null`))}
  ${when(creatorId, (id) => sql`and creator_id = ${id}`)}`;

async function searchCondition(db: Queryable, storeId: Id<'store'>, text: string): Promise<Sql> {
  const named = await findCreatorsNamed(db, { storeId, text });
  return sql`(${beginsWith(text)} or creator_id = any(${uuids(named)}))`;
}

/** The length of the indexed beginning in relationships_by_beginning. */
const indexedLength = 100;

function beginsWith(beginning: string): Sql {
  const start = [...beginning].slice(0, indexedLength).join('');
  const like = sql`left(relationship_id, 100) like ${prefixPattern(start)}`;
  return start === beginning ? like : sql`(${like} and starts_with(relationship_id, ${beginning}))`;
}

const when = <Value>(value: Value | null, fragment: (value: Value) => Sql): Sql => (value === null ? emptySql : fragment(value));
