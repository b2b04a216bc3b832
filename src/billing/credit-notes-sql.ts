import type { CommissionKey } from '../commissions/commissions-sql.ts';
import type { TakenPart } from '../commissions/decide-refund.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { bigints, booleans, byteas, jsonbs, sql, texts, uuids } from '../db/sql.ts';
import type { Page } from '../http/page.ts';
import type { Id } from '../core/ids.ts';
import { amountToJson, cents, type Cents } from '../core/money.ts';
import { invariant } from '../core/invariant.ts';
import type { CreditedLateRefund, LateRefund } from './decide-late-refund.ts';
import type { CreditedSoFar, InvoiceKey } from './invoice.ts';

/** By credit_notes_of_invoice. Credit notes are written under the invoice lock, so callers that act on it must hold the lock. */
export const sumCredits = (db: Queryable, { storeId, invoiceId }: InvoiceKey): Promise<CreditedSoFar> =>
  db.one(sql`
    select coalesce(sum(n.lines_cents) filter (where n.kind = 'before'), 0) as before_lines,
      coalesce(sum(n.fee_cents) filter (where n.kind = 'before'), 0) as before_fee,
      coalesce(sum(n.credit_cents) filter (where n.kind = 'before'), 0) as before_credit,
      coalesce(sum(n.lines_cents) filter (where n.kind = 'after'), 0) as after_lines,
      coalesce(sum(n.fee_cents) filter (where n.kind = 'after'), 0) as after_fee,
      coalesce(sum(unclaimed.cents) filter (where n.kind = 'after'), 0) as after_unclaimed_lines
    from credit_notes n
    cross join lateral (
      select coalesce(sum(l.amount_cents), 0) as cents from credit_note_lines l
      where l.store_id = n.store_id and l.credit_note_id = n.credit_note_id and not l.is_borne
    ) as unclaimed
    where n.store_id = ${storeId} and n.invoice_id = ${invoiceId}`);

export type CreditNote = InvoiceKey & {
  readonly creditNoteId: Id<'cn'>;
  readonly number: bigint;
  readonly kind: 'before' | 'after';
  readonly reason: string;
  readonly linesCents: Cents;
  readonly feeCents: Cents;
  readonly creditCents: Cents;
  readonly madeBy: string;
  readonly madeByName: string;
  readonly at: Date;
};

export async function insertCreditNote(tx: Transaction, note: CreditNote): Promise<void> {
  await tx.run(sql`
    insert into credit_notes (store_id, credit_note_id, invoice_id, number, kind, reason, lines_cents, fee_cents, credit_cents,
      made_by, made_by_name, at)
    values (${note.storeId}, ${note.creditNoteId}, ${note.invoiceId}, ${note.number}, ${note.kind}, ${note.reason}, ${note.linesCents},
      ${note.feeCents}, ${note.creditCents}, ${note.madeBy}, ${note.madeByName}, ${note.at})`);
}

export type NoteLine = {
  readonly commissionId: Id<'com'>;
  readonly creatorId: Id<'crt'>;
  readonly amountCents: Cents;
  readonly isBorne: boolean;
  /** The refund whose part of the line it is. Null: an operator credited the line. */
  readonly refundId: Id<'rfd'> | null;
  /** The refund that came too late, of which the operator bears the part. */
  readonly late?: LateRefund;
};

export async function insertNoteLines(
  tx: Transaction,
  { storeId, creditNoteId }: Pick<CreditNote, 'storeId' | 'creditNoteId'>,
  lines: readonly NoteLine[],
): Promise<void> {
  const written = await tx.run(sql`
    insert into credit_note_lines (store_id, commission_id, credit_note_id, creator_id, amount_cents, is_borne, refund_id, late_refund_id,
      late_refund_hash, late_eligible_cents, late_parts)
    select ${storeId}::uuid, commission_id, ${creditNoteId}::uuid, creator_id, amount_cents, is_borne, refund_id, late_refund_id,
      late_refund_hash, late_eligible_cents, late_parts from unnest(
      ${uuids(lines.map(({ commissionId }) => commissionId))}, ${uuids(lines.map(({ creatorId }) => creatorId))},
      ${bigints(lines.map(({ amountCents }) => amountCents))}, ${booleans(lines.map(({ isBorne }) => isBorne))},
      ${uuids(lines.map(({ refundId }) => refundId))}, ${texts(lines.map(({ late }) => late?.refundId ?? null))},
      ${byteas(lines.map(({ late }) => late?.refundHash ?? null))}, ${bigints(lines.map(({ late }) => late?.eligible ?? null))},
      ${jsonbs(lines.map(({ late }) => (late === undefined ? null : takenJson(late.taken))))}
    ) as fresh (commission_id, creator_id, amount_cents, is_borne, refund_id, late_refund_id, late_refund_hash, late_eligible_cents,
        late_parts)`);
  invariant(written === lines.length, 'every line is inserted once');
}

/** Like the parts of a refund. */
const takenJson = (taken: readonly TakenPart[]): string =>
  JSON.stringify(taken.map(({ part, amount, quantity }) => ({ part, amount_cents: amountToJson(amount), quantity: Number(quantity) })));

/** What an operator credited of a commission before. */
export type OperatorCredit = {
  readonly commissionId: Id<'com'>;
  /** All that was left of it. */
  readonly isWhole: boolean;
  /** Of refunds that came too late. */
  readonly lateCents: Cents;
};

/** By the primary key of credit_note_lines. */
export async function listCreditedCommissions(
  db: Queryable,
  storeId: Id<'store'>,
  commissionIds: ReadonlyArray<Id<'com'>>,
): Promise<ReadonlyMap<Id<'com'>, OperatorCredit>> {
  const rows = await db.all<OperatorCredit>(sql`
    select commission_id, bool_or(late_refund_hash is null) as is_whole,
      coalesce(sum(amount_cents) filter (where late_refund_hash is not null), 0) as late_cents
    from credit_note_lines
    where store_id = ${storeId} and commission_id = any(${uuids(commissionIds)}) and refund_id is null
    group by commission_id`);
  return new Map(rows.map((row) => [row.commissionId, row]));
}

/** A line that an operator credited without taking it from the creator. Written under the lock of the invoice. */
export const hasBorneLine = async (db: Queryable, { storeId, commissionId }: CommissionKey): Promise<boolean> =>
  (await db.find(sql`
    select 1 as one from credit_note_lines
    where store_id = ${storeId} and commission_id = ${commissionId} and is_borne limit 1`)) !== null;

/** In the order of their credit notes. By the primary key of credit_note_lines. */
export async function listLateRefunds(db: Queryable, { storeId, commissionId }: CommissionKey): Promise<readonly CreditedLateRefund[]> {
  type Row = Omit<CreditedLateRefund, 'taken'> & {
    readonly parts: ReadonlyArray<{ readonly part: number; readonly amount_cents: number; readonly quantity: number }>;
  };
  const rows = await db.all<Row>(sql`
    select l.late_refund_id as refund_id, l.late_refund_hash as refund_hash, l.late_eligible_cents as eligible, l.late_parts as parts,
      l.amount_cents, n.number
    from credit_note_lines l join credit_notes n on n.store_id = l.store_id and n.credit_note_id = l.credit_note_id
    where l.store_id = ${storeId} and l.commission_id = ${commissionId} and l.late_refund_hash is not null
    order by n.number`);
  return rows.map(({ parts, ...row }) => ({
    ...row,
    taken: parts.map((one) => ({ part: one.part, amount: cents(one.amount_cents), quantity: BigInt(one.quantity) })),
  }));
}

export type ListedNote = CreditNote & {
  readonly lines: ReadonlyArray<{ readonly commissionId: Id<'com'>; readonly amountCents: number; readonly isBorne: boolean }>;
};

/** Newest first. A note has at most as many lines as one request names. */
export const listCreditNotes = (db: Queryable, storeId: Id<'store'>, { after, limit }: Page): Promise<ListedNote[]> =>
  db.all(sql`
    select n.store_id, n.credit_note_id, n.invoice_id, n.number, n.kind, n.reason, n.lines_cents, n.fee_cents, n.credit_cents, n.made_by,
      n.made_by_name, n.at, lines.of_note as lines
    from credit_notes n
    cross join lateral (
      select jsonb_agg(jsonb_build_object('commissionId', l.commission_id, 'amountCents', l.amount_cents, 'isBorne', l.is_borne)
        order by l.commission_id) as of_note
      from credit_note_lines l where l.store_id = n.store_id and l.credit_note_id = n.credit_note_id
    ) as lines
    where n.store_id = ${storeId} and n.number < ${after === null ? maxNumber : BigInt(after[0] ?? 0)}
    order by n.number desc limit ${limit + 1}`);

const maxNumber = 2n ** 62n;
