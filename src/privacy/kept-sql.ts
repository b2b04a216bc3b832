import type { Queryable } from '../platform/database/database.ts';
import { sql, type Sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';

/**
 * Rows as they are kept, by table. What is hashed or sealed is left out: it says nothing to whoever asks. So are link
 * numbers, which JSON cannot hold: a link has its code.
 */
export type Kept = Readonly<Record<string, readonly unknown[]>>;

async function gathered(db: Queryable, questions: Readonly<Record<string, Sql>>): Promise<Kept> {
  const kept: Record<string, readonly unknown[]> = {};
  for (const [table, question] of Object.entries(questions)) {
    kept[table] = (await db.all<{ row: unknown }>(question)).map(({ row }) => row);
  }
  return kept;
}

export type Person = { readonly userId: Id<'user'>; readonly actor: string; readonly email: string };

/** test/operating/privacy.test.ts holds that no table with a person in it is forgotten. */
export const keptOfPerson = (db: Queryable, { userId, actor, email }: Person): Promise<Kept> =>
  gathered(db, {
    users: sql`
      select to_jsonb(t) - '{password_hash,totp_sealed,totp_replacement_sealed,totp_last_step}'::text[] as row
      from users t where user_id = ${userId}`,
    devices: sql`select to_jsonb(t) as row from devices t where user_id = ${userId} order by device_id`,
    sessions: sql`
      select to_jsonb(t) - '{token_hash,address_hash}'::text[] as row from sessions t where user_id = ${userId} order by session_id`,
    recovery_codes: sql`select to_jsonb(t) - '{code_hash}'::text[] as row from recovery_codes t where user_id = ${userId}`,
    store_roles: sql`select to_jsonb(t) as row from store_roles t where user_id = ${userId} order by store_id`,
    one_time_links: sql`
      select to_jsonb(t) - '{token_hash,asked_by_name,opened_by_name}'::text[] as row
      from one_time_links t where user_id = ${userId} or email = ${email}`,
    invitations: sql`
      select to_jsonb(t) as row from invitations t where email = ${email} or invited_by = ${userId} order by invitation_id`,
    api_keys: sql`select to_jsonb(t) - '{key_hash}'::text[] as row from api_keys t where made_by = ${userId} order by api_key_id`,
    mails: sql`select to_jsonb(t) - '{body_sealed}'::text[] as row from mails t where to_address = ${email} order by mail_id`,
    audit_log: sql`
      select to_jsonb(t) - '{address_hash}'::text[] as row from audit_log t where actor = ${actor} order by audit_entry_id`,
  });

export const wishesOfPerson = (
  db: Queryable,
  { userId, storeIds }: { readonly userId: Id<'user'>; readonly storeIds: ReadonlyArray<Id<'store'>> },
): Promise<Kept> =>
  gathered(db, {
    store_mails_off: sql`
      select to_jsonb(t) as row from store_mails_off t where store_id = any(${storeIds}::uuid[]) and user_id = ${userId}`,
  });

/**
 * The creator's own tables first, then what stores keep of them: what was decided, without who decided it or what they noted for
 * themselves. That is the shop's own business, and a person of it is no part of the creator's data.
 */
export const keptOfCreator = (
  db: Queryable,
  { creatorId, storeIds }: { readonly creatorId: Id<'crt'>; readonly storeIds: ReadonlyArray<Id<'store'>> },
): Promise<Kept> =>
  gathered(db, {
    creators: sql`select to_jsonb(t) as row from creators t where creator_id = ${creatorId}`,
    payout_methods: sql`select to_jsonb(t) - '{instrument}'::text[] as row from payout_methods t where creator_id = ${creatorId}`,
    stripe_accounts: sql`select to_jsonb(t) as row from stripe_accounts t where creator_id = ${creatorId}`,
    creator_tax: sql`select to_jsonb(t) - '{tax_id_sealed}'::text[] as row from creator_tax t where creator_id = ${creatorId}`,
    creator_mails_off: sql`select to_jsonb(t) as row from creator_mails_off t where creator_id = ${creatorId}`,
    creator_digests: sql`select to_jsonb(t) as row from creator_digests t where creator_id = ${creatorId}`,
    creator_stores: sql`select to_jsonb(t) as row from creator_stores t where creator_id = ${creatorId} order by store_id`,
    creator_entries: sql`select to_jsonb(t) as row from creator_entries t where creator_id = ${creatorId} order by entry_id`,
    earnings: sql`select to_jsonb(t) as row from earnings t where creator_id = ${creatorId} order by store_id, commission_id`,
    creator_transfers: sql`select to_jsonb(t) as row from creator_transfers t where creator_id = ${creatorId} order by at`,
    creator_balances: sql`select to_jsonb(t) as row from creator_balances t where creator_id = ${creatorId}`,
    payouts: sql`
      select to_jsonb(t) - '{instrument,started_by,started_by_user_id,confirmed_by}'::text[] as row from payouts t
      where creator_id = ${creatorId} order by payout_id`,
    payout_lines: sql`select to_jsonb(t) as row from payout_lines t where creator_id = ${creatorId} order by payout_id`,
    payout_stores: sql`select to_jsonb(t) as row from payout_stores t where creator_id = ${creatorId} order by payout_id`,
    api_keys: sql`select to_jsonb(t) - '{key_hash}'::text[] as row from api_keys t where creator_id = ${creatorId} order by api_key_id`,
    members: sql`
      select to_jsonb(t) as row from members t where store_id = any(${storeIds}::uuid[]) and creator_id = ${creatorId} order by member_id`,
    links: sql`
      select to_jsonb(t) - '{link_number}'::text[] as row from links t
      where store_id = any(${storeIds}::uuid[]) and creator_id = ${creatorId} order by created_at`,
    commissions: sql`
      select to_jsonb(t) - '{link_number,held_by,rejected_note,source_hash}'::text[] as row from commissions t
      where store_id = any(${storeIds}::uuid[]) and creator_id = ${creatorId} order by occurred_at`,
    commission_disputes: sql`
      select to_jsonb(t) - '{decided_by,decided_by_name}'::text[] as row from commission_disputes t
      where store_id = any(${storeIds}::uuid[]) and creator_id = ${creatorId} order by dispute_id`,
  });
