import type { Queryable } from '../db/database.ts';
import { sql, type Sql, uuids } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import { columnsOf, id, plain, exportRow, time, type ExportShape } from './export-shapes-sql.ts';

/** A person's data by table, in the format of the API: prefixed IDs, ISO times with milliseconds, amounts in cents. */
export type DataExport = Readonly<Record<string, readonly unknown[]>>;

/**
 * The exported columns about a person. Hashes and encrypted secrets are omitted, because their values mean nothing to the person. Request
 * IDs and the delivery state of emails are omitted, because they are about the service.
 */
export const personShapes = {
  users: {
    user_id: id('user'),
    email: plain,
    name: plain,
    language: plain,
    is_operator: plain,
    creator_id: id('crt'),
    totp_confirmed_at: time,
    created_at: time,
    disabled_at: time,
  },
  email_changes: { former_email: plain, email: plain, asked_at: time, expires_at: time, confirmed_at: time, undone_at: time },
  devices: { device_id: id('dev'), user_agent: plain, created_at: time, last_seen_at: time },
  sessions: { session_id: id('sess'), created_at: time, last_seen_at: time, expires_at: time, proved_at: time, user_agent: plain },
  recovery_codes: { user_id: id('user'), used_at: time },
  store_roles: { store_id: id('store'), role: plain, since: time },
  one_time_links: {
    purpose: plain,
    email: plain,
    user_id: id('user'),
    invitation_id: id('invite'),
    made_at: time,
    expires_at: time,
    used_at: time,
  },
  invitations: {
    invitation_id: id('invite'),
    email: plain,
    kind: plain,
    store_id: id('store'),
    role: plain,
    creator_id: id('crt'),
    invited_by: id('user'),
    made_at: time,
    expires_at: time,
    accepted_at: time,
    withdrawn_at: time,
  },
  api_keys: {
    api_key_id: id('key'),
    last4: plain,
    name: plain,
    kind: plain,
    store_id: id('store'),
    creator_id: id('crt'),
    scopes: plain,
    made_by: id('user'),
    created_at: time,
    last_used_at: time,
    revoked_at: time,
  },
  mails: {
    mail_id: id('mail'),
    made_at: time,
    to_address: plain,
    subject: plain,
    store_id: id('store'),
    state: plain,
    sent_at: time,
    read_at: time,
  },
  audit_log: {
    audit_entry_id: id('audit'),
    at: time,
    actor: plain,
    actor_name: plain,
    store_id: id('store'),
    creator_id: id('crt'),
    action: plain,
    subject: plain,
    details: plain,
  },
  store_mails_off: { store_id: id('store'), user_id: id('user'), kind: plain },
  program_invitations: {
    invitation_id: id('pinv'),
    store_id: id('store'),
    program_id: id('prog'),
    email: plain,
    creator_name: plain,
    message: plain,
    state: plain,
    made_at: time,
    sent_at: time,
    expires_at: time,
    ended_at: time,
    creator_id: id('crt'),
  },
} satisfies Readonly<Record<string, ExportShape>>;

/**
 * The exported columns about a creator. The merchant's data about the order, the buyer, or a refund (`order_name`, `customer_id`,
 * `discount_code`, `metadata`, `reversal_reason`), internal notes of reviewers (`rejected_note`), and the names of deciders are not the
 * creator's data and are never exported. The `note` of a dispute is the reply to the creator.
 */
export const creatorShapes = {
  creators: {
    creator_id: id('crt'),
    name: plain,
    email: plain,
    suspended_at: time,
    suspension_reason: plain,
    created_at: time,
    payout_minimum_cents: plain,
  },
  payout_methods: {
    payout_method_id: id('pm'),
    provider: plain,
    last4: plain,
    made_at: time,
    usable_from: time,
    replaced_at: time,
    came_back_at: time,
  },
  stripe_accounts: { account: plain, begun_at: time },
  creator_tax: { country: plain, legal_name: plain, tax_id_last4: plain, changed_at: time },
  creator_mails_off: { kind: plain },
  creator_unsubscribes: { store_id: id('store'), at: time },
  creator_digests: { told_until: time },
  creator_suspensions: { suspension_id: id('susp'), reason: plain, suspended_at: time, ended_at: time },
  creator_stores: { store_id: id('store') },
  creator_entries: { store_id: id('store'), commission_id: id('com'), kind: plain, amount_cents: plain, at: time },
  earnings: {
    store_id: id('store'),
    commission_id: id('com'),
    amount_cents: plain,
    collected: plain,
    advanced: plain,
    payout_id: id('pay'),
  },
  creator_transfers: {
    at: time,
    store_id: id('store'),
    source_kind: plain,
    payout_id: id('pay'),
    debit: plain,
    credit: plain,
    amount_cents: plain,
  },
  creator_balances: { account: plain, store_id: id('store'), debit_cents: plain, credit_cents: plain },
  payouts: {
    payout_id: id('pay'),
    payout_run_id: id('prun'),
    state: plain,
    amount_cents: plain,
    minimum_cents: plain,
    payout_method_id: id('pm'),
    provider: plain,
    provider_id: plain,
    begun_at: time,
    gathered_at: time,
    confirmed_at: time,
    sent_at: time,
    ended_at: time,
    returned_at: time,
    failure_code: plain,
    failure_message: plain,
  },
  payout_lines: { payout_id: id('pay'), store_id: id('store'), commission_id: id('com'), amount_cents: plain },
  payout_stores: { payout_id: id('pay'), store_id: id('store'), amount_cents: plain },
  api_keys: {
    api_key_id: id('key'),
    last4: plain,
    name: plain,
    kind: plain,
    scopes: plain,
    created_at: time,
    last_used_at: time,
    revoked_at: time,
  },
  mails: personShapes.mails,
  members: {
    store_id: id('store'),
    member_id: id('mem'),
    program_id: id('prog'),
    status: plain,
    since: time,
    left_at: time,
    created_at: time,
    answers: plain,
    leaderboard_name: plain,
    leaderboard_removed_name: plain,
    leaderboard_removed_at: time,
  },
  terms_acceptances: { store_id: id('store'), program_id: id('prog'), version: plain, accepted_at: time },
  links: {
    store_id: id('store'),
    code: plain,
    program_id: id('prog'),
    member_id: id('mem'),
    destination_url: plain,
    created_at: time,
  },
  discount_codes: {
    store_id: id('store'),
    code_id: id('code'),
    code: plain,
    program_id: id('prog'),
    member_id: id('mem'),
    is_shared: plain,
    valid_from: time,
    valid_until: time,
    orders_per_customer: plain,
    paused_at: time,
    ended_at: time,
    created_at: time,
  },
  commissions: {
    store_id: id('store'),
    commission_id: id('com'),
    program_id: id('prog'),
    state: plain,
    held_reason: plain,
    held_since: time,
    order_id: plain,
    subscription_invoice_id: plain,
    bonus_reason: plain,
    eligible_cents: plain,
    amount_cents: plain,
    rates: plain,
    terms_version: plain,
    attribution_days: plain,
    hold_days: plain,
    hold_until: time,
    auto_approve_at: time,
    occurred_at: time,
    recorded_at: time,
    approved_at: time,
    rejected_at: time,
    rejected_reason: plain,
    reversed_at: time,
    payout_id: id('pay'),
    paid_at: time,
  },
  refused_orders: { store_id: id('store'), program_id: id('prog'), at: time, operation: plain, reason: plain },
  commission_disputes: {
    store_id: id('store'),
    dispute_id: id('disp'),
    commission_id: id('com'),
    words: plain,
    opened_at: time,
    state: plain,
    decided_at: time,
    note: plain,
  },
} satisfies Readonly<Record<string, ExportShape>>;

type ExportQuery = (columns: Sql) => Sql;

async function exportTables<Table extends string>(
  db: Queryable,
  shapes: Readonly<Record<Table, ExportShape>>,
  questions: Readonly<Partial<Record<Table, ExportQuery>>>,
): Promise<DataExport> {
  const byTable: Readonly<Record<string, ExportQuery | undefined>> = questions;
  const tables: Record<string, readonly unknown[]> = {};
  for (const [table, shape] of Object.entries<ExportShape>(shapes)) {
    const question = byTable[table];
    if (question === undefined) continue;
    const rows = await db.all<Record<string, unknown>>(question(columnsOf(shape)));
    tables[table] = rows.map((row) => exportRow(shape, row));
  }
  return tables;
}

export type PersonSubject = { readonly userId: Id<'user'>; readonly actor: string; readonly email: string };

/** test/operations/privacy.test.ts holds that no table with a person in it is left out. */
export const readPersonData = (db: Queryable, { userId, actor, email }: PersonSubject): Promise<DataExport> =>
  exportTables(db, personShapes, {
    users: (columns) => sql`select ${columns} from users where user_id = ${userId}`,
    email_changes: (columns) => sql`select ${columns} from email_changes where user_id = ${userId} order by asked_at`,
    devices: (columns) => sql`select ${columns} from devices where user_id = ${userId} order by device_id`,
    sessions: (columns) => sql`select ${columns} from sessions where user_id = ${userId} order by session_id`,
    recovery_codes: (columns) => sql`select ${columns} from recovery_codes where user_id = ${userId}`,
    store_roles: (columns) => sql`select ${columns} from store_roles where user_id = ${userId} order by store_id`,
    one_time_links: (columns) => sql`select ${columns} from one_time_links where user_id = ${userId} or email = ${email} order by made_at`,
    invitations: (columns) => sql`
      select ${columns} from invitations where email = ${email} or invited_by = ${userId} order by invitation_id`,
    api_keys: (columns) => sql`select ${columns} from api_keys where made_by = ${userId} order by api_key_id`,
    mails: (columns) => sql`select ${columns} from mails where to_address = ${email} or user_id = ${userId} order by mail_id`,
    program_invitations: (columns) => sql`
      select ${columns} from program_invitations where email = ${email} order by invitation_id`,
    audit_log: (columns) => sql`select ${columns} from audit_log where actor = ${actor} order by audit_entry_id`,
  });

export const readPersonNotificationChoices = (
  db: Queryable,
  { userId, storeIds }: { readonly userId: Id<'user'>; readonly storeIds: ReadonlyArray<Id<'store'>> },
): Promise<DataExport> =>
  exportTables(db, personShapes, {
    store_mails_off: (columns) => sql`
      select ${columns} from store_mails_off where store_id = any(${uuids(storeIds)}) and user_id = ${userId}`,
  });

type CreatorSubject = { readonly creatorId: Id<'crt'>; readonly email: string; readonly storeIds: ReadonlyArray<Id<'store'>> };

/** The creator's own tables first, then the rows about the creator in stores. */
export const readCreatorData = (db: Queryable, subject: CreatorSubject): Promise<DataExport> =>
  exportTables(db, creatorShapes, { ...ownTables(subject), ...storeTables(subject) });

const ownTables = ({ creatorId, email }: CreatorSubject) => ({
  creators: (columns: Sql) => sql`select ${columns} from creators where creator_id = ${creatorId}`,
  payout_methods: (columns: Sql) => sql`select ${columns} from payout_methods where creator_id = ${creatorId} order by payout_method_id`,
  stripe_accounts: (columns: Sql) => sql`select ${columns} from stripe_accounts where creator_id = ${creatorId}`,
  creator_tax: (columns: Sql) => sql`select ${columns} from creator_tax where creator_id = ${creatorId}`,
  creator_mails_off: (columns: Sql) => sql`select ${columns} from creator_mails_off where creator_id = ${creatorId}`,
  creator_unsubscribes: (columns: Sql) =>
    sql`select ${columns} from creator_unsubscribes where creator_id = ${creatorId} order by store_id`,
  creator_digests: (columns: Sql) => sql`select ${columns} from creator_digests where creator_id = ${creatorId}`,
  creator_suspensions: (columns: Sql) => sql`
    select ${columns} from creator_suspensions where creator_id = ${creatorId} order by suspension_id`,
  creator_stores: (columns: Sql) => sql`select ${columns} from creator_stores where creator_id = ${creatorId} order by store_id`,
  creator_entries: (columns: Sql) => sql`select ${columns} from creator_entries where creator_id = ${creatorId} order by entry_id`,
  earnings: (columns: Sql) => sql`select ${columns} from earnings where creator_id = ${creatorId} order by store_id, commission_id`,
  creator_transfers: (columns: Sql) => sql`
    select ${columns} from (
      select *, case when source_kind <> 'entry' then source_id end as payout_id from creator_transfers where creator_id = ${creatorId}
    ) as t order by at, source_id`,
  creator_balances: (columns: Sql) =>
    sql`select ${columns} from creator_balances where creator_id = ${creatorId} order by account, store_id`,
  payouts: (columns: Sql) => sql`select ${columns} from payouts where creator_id = ${creatorId} order by payout_id`,
  payout_lines: (columns: Sql) => sql`
    select ${columns} from payout_lines where creator_id = ${creatorId} order by payout_id, store_id, commission_id`,
  payout_stores: (columns: Sql) => sql`select ${columns} from payout_stores where creator_id = ${creatorId} order by payout_id, store_id`,
  api_keys: (columns: Sql) => sql`select ${columns} from api_keys where creator_id = ${creatorId} order by api_key_id`,
  mails: (columns: Sql) => sql`select ${columns} from mails where to_address = ${email} order by mail_id`,
});

const storeTables = ({ creatorId, storeIds }: CreatorSubject) => ({
  members: (columns: Sql) => sql`
    select ${columns} from members where store_id = any(${uuids(storeIds)}) and creator_id = ${creatorId} order by member_id`,
  terms_acceptances: (columns: Sql) => sql`
    select ${columns} from terms_acceptances where store_id = any(${uuids(storeIds)}) and creator_id = ${creatorId} order by accepted_at`,
  links: (columns: Sql) => sql`
    select ${columns} from links where store_id = any(${uuids(storeIds)}) and creator_id = ${creatorId} order by created_at, code`,
  discount_codes: (columns: Sql) => sql`
    select ${columns} from discount_codes where store_id = any(${uuids(storeIds)}) and creator_id = ${creatorId} order by code_id`,
  commissions: (columns: Sql) => sql`
    select ${columns} from (
      select *, (
          select coalesce(jsonb_agg(part - 'rule' - 'skipped' order by place), '[]')
          from jsonb_array_elements(earned) with ordinality as parts (part, place)
        ) as rates, case source_kind when 'order' then source_text end as order_id,
        case source_kind when 'invoice' then source_text end as subscription_invoice_id,
        case source_kind when 'bonus' then source_text end as bonus_reason
      from commissions where store_id = any(${uuids(storeIds)}) and creator_id = ${creatorId}
    ) as t order by occurred_at, commission_id`,
  refused_orders: (columns: Sql) => sql`
    select ${columns} from refused_orders
    where store_id = any(${uuids(storeIds)}) and creator_id = ${creatorId} order by refusal_id`,
  commission_disputes: (columns: Sql) => sql`
    select ${columns} from commission_disputes
    where store_id = any(${uuids(storeIds)}) and creator_id = ${creatorId} order by dispute_id`,
});
