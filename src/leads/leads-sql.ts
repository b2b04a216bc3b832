import type { AttributionWhy } from '../contract/why.ts';
import type { Id } from '../core/ids.ts';
import { jsonText } from '../core/json.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { byteas, sql } from '../db/sql.ts';
import type { NewLead } from './decide-lead.ts';
import type { NewLeadReversal } from './decide-lead-reversal.ts';

/** A lead is found by its store and the hash of the merchant's ID. */
export type LeadKey = { readonly storeId: Id<'store'>; readonly leadHash: Buffer };

export type StoredLead = {
  readonly leadId: Id<'lead'>;
  readonly commissionId: Id<'com'>;
  readonly contentHash: Buffer;
  readonly recordedAt: Date;
};

export const findLead = (db: Queryable, { storeId, leadHash }: LeadKey): Promise<StoredLead | null> =>
  db.find(sql`
    select lead_id, commission_id, content_hash, recorded_at from leads where store_id = ${storeId} and lead_hash = ${leadHash}`);

/** What a list shows of a lead besides its commission. Metadata is JSON as text. */
export type LeadDetails = LeadKey & {
  readonly kind: string;
  readonly clickId: Id<'click'> | null;
  readonly customerId: string | null;
  readonly discountCode: string | null;
  readonly attribution: AttributionWhy | null;
  readonly exceededLimit: number | null;
  readonly metadata: string | null;
};

/** Uses the primary key. */
export const leadDetails = (db: Queryable, storeId: Id<'store'>, leadHashes: readonly Buffer[]): Promise<LeadDetails[]> =>
  db.all(sql`
    select store_id, lead_hash, kind, click_id, customer_id, discount_code, attribution, exceeded_limit, metadata from leads
    where store_id = ${storeId} and lead_hash = any(${byteas(leadHashes)})`);

type LeadsOfMonth = {
  readonly storeId: Id<'store'>;
  readonly programId: Id<'prog'>;
  readonly creatorId: Id<'crt'>;
  readonly kind: string;
  readonly month: string;
};

/** Locks the creator's membership, so that two leads under one limit are counted one after the other. */
export async function lockLeadsOfMember(tx: Transaction, { storeId, programId, creatorId }: LeadsOfMonth): Promise<void> {
  await tx.run(sql`
    select 1 from members where store_id = ${storeId} and program_id = ${programId} and creator_id = ${creatorId} for update`);
}

/** How many leads were paid in a month. A reversed one keeps its place. By the index leads_paid_in_month. */
export async function countPaidLeads(db: Queryable, { storeId, programId, creatorId, kind, month }: LeadsOfMonth): Promise<number> {
  const { paid } = await db.one<{ paid: number }>(sql`
    select coalesce(max(paid_number), 0) as paid from leads
    where store_id = ${storeId} and program_id = ${programId} and creator_id = ${creatorId} and kind = ${kind}
      and paid_month = ${month}::date and paid_number is not null`);
  return paid;
}

/** False: another process recorded the lead, or took its place in the month, first. */
export async function insertLead(tx: Transaction, { storeId, leadHash }: LeadKey, lead: NewLead, contentHash: Buffer): Promise<boolean> {
  const { report, attribution, paid } = lead;
  const { programId, creatorId, linkNumber, click } = attribution.credited;
  const written = await tx.run(sql`
    insert into leads (store_id, lead_hash, content_hash, lead_id, merchant_lead_id, commission_id, kind, click_id, program_id, creator_id,
      link_number, attribution, paid_month, paid_number, exceeded_limit, occurred_at, recorded_at, customer_id, discount_code, metadata)
    values (${storeId}, ${leadHash}, ${contentHash}, ${lead.leadId}, ${report.leadId}, ${lead.commissionId}, ${report.kind},
      ${click?.clickId ?? null}, ${programId}, ${creatorId}, ${linkNumber}, ${attribution.why && JSON.stringify(attribution.why)}::jsonb,
      ${paid?.month ?? null}::date, ${paid?.number ?? null}, ${lead.exceededLimit}, ${lead.occurredAt}, ${lead.recordedAt},
      ${report.customerId}, ${report.discountCode}, ${report.metadata && jsonText(report.metadata)})
    on conflict do nothing`);
  return written === 1;
}

const placeholderId = '00000000-0000-0000-0000-000000000000';

/**
 * Waits for a transaction that is recording the lead, and blocks a later one until the commit; otherwise a reversal that finds no lead and
 * a lead that finds no reversal could miss each other. False: another process recorded the lead first.
 */
export async function blockUnknownLead(tx: Transaction, { storeId, leadHash }: LeadKey, at: Date): Promise<boolean> {
  const written = await tx.run(sql`
    insert into leads (store_id, lead_hash, content_hash, lead_id, merchant_lead_id, commission_id, kind, program_id, creator_id, link_number,
      occurred_at, recorded_at)
    values (${storeId}, ${leadHash}, '', ${placeholderId}, '', ${placeholderId}, '', ${placeholderId}, ${placeholderId}, 0, ${at}, ${at})
    on conflict do nothing`);
  await tx.run(sql`delete from leads where store_id = ${storeId} and lead_hash = ${leadHash} and lead_id = ${placeholderId}`);
  return written === 1;
}

export const isReversedEarly = async (db: Queryable, { storeId, leadHash }: LeadKey): Promise<boolean> =>
  (await db.find(sql`select 1 as found from early_lead_reversals where store_id = ${storeId} and lead_hash = ${leadHash}`)) !== null;

export async function insertEarlyLeadReversal(tx: Transaction, { storeId, leadHash }: LeadKey, at: Date): Promise<void> {
  await tx.run(sql`
    insert into early_lead_reversals (store_id, lead_hash, first_seen_at) values (${storeId}, ${leadHash}, ${at}) on conflict do nothing`);
}

export const findLeadReversal = (
  db: Queryable,
  { storeId, leadHash }: LeadKey,
): Promise<{ readonly contentHash: Buffer; readonly receivedAt: Date } | null> =>
  db.find(sql`select content_hash, received_at from lead_reversals where store_id = ${storeId} and lead_hash = ${leadHash}`);

/** False: another process reversed the lead first. */
export async function insertLeadReversal(
  tx: Transaction,
  { storeId, leadHash }: LeadKey,
  { reversalId, occurredAt, receivedAt, report }: NewLeadReversal,
  contentHash: Buffer,
): Promise<boolean> {
  const written = await tx.run(sql`
    insert into lead_reversals (store_id, lead_hash, content_hash, reversal_id, occurred_at, received_at, reason)
    values (${storeId}, ${leadHash}, ${contentHash}, ${reversalId}, ${occurredAt}, ${receivedAt}, ${report.reason})
    on conflict do nothing`);
  return written === 1;
}

/** What a merchant reported about a customer with a lead. */
export type LeadOfCustomer = {
  readonly leadId: string;
  readonly kind: string;
  readonly occurredAt: Date;
  readonly customerId: string | null;
  readonly discountCode: string | null;
  readonly metadata: string | null;
};

/** The index entries of leads_of_customer contain this many characters. */
const indexedPrefix = (text: string): string => [...text].slice(0, 100).join('');

/** By the index leads_of_customer. */
export const leadsOfCustomer = (db: Queryable, storeId: Id<'store'>, customerId: string, most: number): Promise<LeadOfCustomer[]> =>
  db.all(sql`
    select merchant_lead_id as lead_id, kind, occurred_at, customer_id, discount_code, metadata from leads
    where store_id = ${storeId} and left(customer_id, 100) = ${indexedPrefix(customerId)} and customer_id = ${customerId}
    order by occurred_at limit ${most}`);

/** Keeps the content hash, so that a replay of the lead is still recognized. */
export const eraseLeadsOfCustomer = (db: Queryable, storeId: Id<'store'>, customerId: string): Promise<number> =>
  db.run(sql`
    update leads set customer_id = null, discount_code = null, metadata = null
    where store_id = ${storeId} and left(customer_id, 100) = ${indexedPrefix(customerId)} and customer_id = ${customerId}`);
