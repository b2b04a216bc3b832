import { type Check, type Difference } from '../db/check.ts';
import type { Queryable } from '../db/database.ts';
import { findDifferences } from '../db/differences.ts';
import { sql, type Sql } from '../db/sql.ts';

export const termsVersionCheck: Check = {
  what: 'the version of the terms is that of the order, of an acceptance, or of a click',
  rows: countOrdersWithChoices,
  differences: (db) => versionsThatDiffer(db, ordersWithChoices()),
};

/**
 * Versions that are announced or protect clicks: only their programs have orders, leads, and subscriptions with another version than the
 * one in force for all.
 */
export const hasChoices = (of: Sql): Sql => sql`exists (
  select 1 from terms t
  where t.store_id = ${of}.store_id and t.program_id = ${of}.program_id and (t.announced or t.protect_click_days is not null))`;

/** The click's time is in its ID. */
export const clickTime = (clickId: Sql): Sql =>
  sql`to_timestamp(('x' || substr(replace(${clickId}::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0)`;

async function countOrdersWithChoices(db: Queryable): Promise<bigint> {
  const { rows } = await db.one<{ rows: bigint }>(sql`
    select count(*) as rows from commissions c
    where c.source_kind = 'order' and ${hasChoices(sql`c`)}`);
  return rows;
}

/** An announced version that the creator accepted before the order, and its start after the order. */
const isAccepted = sql`exists (
  select 1 from terms t join terms_acceptances a on a.store_id = t.store_id and a.program_id = t.program_id and a.version = t.version
  where t.store_id = d.store_id and t.program_id = d.program_id and t.version = d.terms_version and a.creator_id = d.creator_id
    and a.accepted_at = (d.choice ->> 'at')::timestamptz and a.accepted_at <= d.occurred_at
    and t.announced and d.occurred_at < t.effective_from
    and (t.canceled_at is null or d.occurred_at < t.canceled_at or d.recorded_at < t.canceled_at))`;

/** Whether version `t` protects the click of the order from itself, for a creator who did not accept it. */
const protectsClick = sql`(
  d.clicked_at < t.effective_from and d.occurred_at >= t.effective_from
  and d.occurred_at < t.effective_from + make_interval(days => t.protect_click_days)
  and not exists (
    select 1 from terms_acceptances a
    where a.store_id = d.store_id and a.program_id = d.program_id and a.version = t.version and a.creator_id = d.creator_id))`;

/** The last version before the one that protects the click. */
const isFormer = sql`(d.clicked_at = (d.choice ->> 'at')::timestamptz and exists (
  select 1 from terms t join terms former on former.store_id = t.store_id and former.program_id = t.program_id
  where t.store_id = d.store_id and t.program_id = d.program_id and t.version = (d.choice ->> 'changed_version')::int and ${protectsClick}
    and former.version = d.terms_version and former.canceled_at is null and former.effective_from < t.effective_from
    and not exists (
      select 1 from terms nearer
      where nearer.store_id = d.store_id and nearer.program_id = d.program_id and nearer.canceled_at is null
        and nearer.effective_from < t.effective_from
        and (nearer.effective_from, nearer.version) > (former.effective_from, former.version))))`;

/** An order may be reported minutes ahead of its time, and a version be canceled between the two. */
const isValid = (version: Sql): Sql => sql`(${version}.canceled_at is null or ${version}.canceled_at > d.recorded_at)`;

/**
 * The version in force for all, or before it the first one, and no reason for another one. An order may have been read in the seconds
 * before an acceptance was committed; such an acceptance counts for it or not.
 */
const isInForce = sql`(
  exists (
    select 1 from terms t
    where t.store_id = d.store_id and t.program_id = d.program_id and t.version = d.terms_version
      and ${isValid(sql`t`)} and (t.effective_from <= d.occurred_at or not exists (
        select 1 from terms begun
        where begun.store_id = d.store_id and begun.program_id = d.program_id and begun.effective_from <= d.occurred_at
          and ${isValid(sql`begun`)} and begun.made_at <= d.recorded_at))
      and not exists (
        select 1 from terms later
        where later.store_id = d.store_id and later.program_id = d.program_id and later.effective_from <= d.occurred_at
          and ${isValid(sql`later`)} and later.made_at <= d.recorded_at
          and (later.effective_from, later.version) > (t.effective_from, t.version)))
  and not exists (
    select 1 from terms t join terms_acceptances a on a.store_id = t.store_id and a.program_id = t.program_id and a.version = t.version
    where t.store_id = d.store_id and t.program_id = d.program_id and a.creator_id = d.creator_id
      and a.accepted_at <= d.occurred_at and a.accepted_at < d.recorded_at - interval '1 minute'
      and d.occurred_at < t.effective_from and (t.canceled_at is null or d.occurred_at < t.canceled_at))
  and not exists (
    select 1 from terms t
    where t.store_id = d.store_id and t.program_id = d.program_id and t.version = d.terms_version and ${protectsClick}
      and exists (
        select 1 from terms former
        where former.store_id = d.store_id and former.program_id = d.program_id and former.canceled_at is null
          and former.effective_from < t.effective_from)))`;

const ordersWithChoices = () => sql`
  select c.store_id, 'commission ' || c.commission_id as subject, c.program_id, c.creator_id, c.occurred_at, c.recorded_at, c.terms_version,
    c.earned -> 0 -> 'terms' as choice, ${clickTime(sql`o.click_id`)} as clicked_at
  from commissions c join orders o on o.store_id = c.store_id and o.commission_id = c.commission_id
  where c.source_kind = 'order' and ${hasChoices(sql`c`)}`;

/** Decides the version of each of these again, in SQL, so that one mistake does not hide in both. */
export function versionsThatDiffer(db: Queryable, decided: Sql): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    with decided as (${decided})
    select d.store_id::text, format('%s: version %s at %s, click %s, because of %s', d.subject, d.terms_version,
             d.occurred_at, d.clicked_at, coalesce(d.choice::text, 'its time')) as detail
    from decided d
    where not case d.choice ->> 'because' when 'accepted' then ${isAccepted} when 'click_before_change' then ${isFormer}
      else ${isInForce} end`,
  );
}
