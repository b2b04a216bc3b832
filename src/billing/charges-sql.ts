import type { Queryable, Transaction } from '../db/database.ts';
import { afterKey, orderBy, type ListSorts, type SortColumn } from '../db/list-order.ts';
import { emptySql, sql } from '../db/sql.ts';
import { inStates, stateAfterSql } from '../db/state-sql.ts';
import type { Page, SortedPage } from '../http/page.ts';
import type { Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';
import { invariant } from '../core/invariant.ts';
import type { ChargeProvider } from '../payments/provider.ts';
import type { ChargeableState } from './invoice-states.ts';
import { chargeTransitions, openChargeStates, type ChargeEvent, type ChargeState, type OpenChargeState } from './charge-states.ts';
import type { InvoiceKey } from './invoice.ts';

export type ChargeKey = { readonly storeId: Id<'store'>; readonly chargeId: Id<'chg'> };

export type Charge = ChargeKey & {
  readonly invoiceId: Id<'inv'>;
  readonly state: ChargeState;
  readonly amountCents: Cents;
  readonly paymentMethodId: Id<'pm'>;
  readonly provider: ChargeProvider['name'];
  readonly instrument: string;
  readonly description: string;
  readonly isBackup: boolean;
  readonly invoiceWas: ChargeableState;
  readonly madeAt: Date;
  readonly calledAt: Date | null;
  readonly providerId: string | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly endedAt: Date | null;
};

const columns = sql`
  store_id, charge_id, invoice_id, state, amount_cents, payment_method_id, provider, instrument, description, is_backup, invoice_was,
  made_at, called_at, provider_id, code, message, ended_at`;
export const unfinished = inStates(openChargeStates);

export type NewCharge = Omit<Charge, 'state' | 'calledAt' | 'providerId' | 'code' | 'message' | 'endedAt'>;

/** The unique index charge_under_way allows one unfinished charge per invoice. The caller must hold the invoice lock and have checked. */
export async function insertCharge(tx: Transaction, made: NewCharge): Promise<void> {
  await tx.run(sql`
    insert into charges (store_id, charge_id, invoice_id, state, amount_cents, payment_method_id, provider, instrument, description,
      is_backup, invoice_was, made_at)
    values (${made.storeId}, ${made.chargeId}, ${made.invoiceId}, 'ready', ${made.amountCents}, ${made.paymentMethodId},
      ${made.provider}, ${made.instrument}, ${made.description}, ${made.isBackup}, ${made.invoiceWas}, ${made.madeAt})`);
  await tx.run(sql`insert into charge_references (charge_id, store_id) values (${made.chargeId}, ${made.storeId})`);
}

/** The store of a charge, from the directory: a webhook event names only the charge. */
export async function storeOfCharge(db: Queryable, chargeId: Id<'chg'>): Promise<Id<'store'> | null> {
  const row = await db.find<{ storeId: Id<'store'> }>(sql`select store_id from charge_references where charge_id = ${chargeId}`);
  return row?.storeId ?? null;
}

export const findCharge = (db: Queryable, { storeId, chargeId }: ChargeKey): Promise<Charge | null> =>
  db.find(sql`select ${columns} from charges where store_id = ${storeId} and charge_id = ${chargeId}`);

/** Locked after its invoice, always in this order. */
export const lockCharge = (tx: Transaction, { storeId, chargeId }: ChargeKey): Promise<Charge | null> =>
  tx.find(sql`select ${columns} from charges where store_id = ${storeId} and charge_id = ${chargeId} for update`);

/** Committed before each call. Null: the charge ended meanwhile, and nothing is sent. */
export const markSending = (db: Queryable, { storeId, chargeId }: ChargeKey, at: Date): Promise<Charge | null> =>
  db.find(sql`
    update charges set called_at = ${at},
      state = case when ${inStates(chargeTransitions.send.from)} then ${stateAfterSql(chargeTransitions.send)} else state end
    where store_id = ${storeId} and charge_id = ${chargeId}
      and (${inStates(chargeTransitions.send.from)} or ${inStates(chargeTransitions.sendAgain.from)}) returning ${columns}`);

export type ChargeEnd = {
  readonly providerId: string | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly endedAt: Date | null;
};

/** The caller must hold the charge lock and have decided: a row in another state is our own bug and ends the transaction. */
export async function transitionCharge(
  tx: Transaction,
  { storeId, chargeId }: ChargeKey,
  event: ChargeEvent,
  end: ChargeEnd,
): Promise<void> {
  const transition = chargeTransitions[event];
  const touched = await tx.run(sql`
    update charges set state = ${stateAfterSql(transition)}, provider_id = coalesce(${end.providerId}, provider_id), code = ${end.code},
      message = ${end.message}, ended_at = ${end.endedAt}, called_at = coalesce(called_at, made_at)
    where store_id = ${storeId} and charge_id = ${chargeId} and ${inStates(transition.from)}`);
  invariant(touched === 1, 'a locked charge is still in the state that the decision was based on');
}

export async function hasUnfinishedCharge(tx: Transaction, { storeId, invoiceId }: InvoiceKey): Promise<boolean> {
  return (
    (await tx.find(sql`select 1 as one from charges where store_id = ${storeId} and invoice_id = ${invoiceId} and ${unfinished}`)) !== null
  );
}

/** Unfinished charges of one store, or of all. By the partial index charges_under_way. */
export const listUnfinishedCharges = (
  db: Queryable,
  { storeId, after, limit }: { readonly storeId: Id<'store'> | null; readonly after: ChargeKey | null; readonly limit: number },
): Promise<Charge[]> =>
  db.all(sql`
    select ${columns} from charges
    where ${unfinished} ${storeId === null ? emptySql : sql`and store_id = ${storeId}`}
      ${after === null ? emptySql : sql`and (store_id, charge_id) > (${after.storeId}::uuid, ${after.chargeId}::uuid)`}
    order by store_id, charge_id limit ${limit}`);

export type OpenCharge = Omit<Charge, 'state'> & { readonly state: OpenChargeState };

const chargeIdColumn: SortColumn<OpenCharge> = { expression: sql`charge_id`, type: 'uuid', value: ({ chargeId }) => chargeId };

/** Sorted in memory, because each invoice has at most one unfinished charge and nearly all of them end within minutes. */
export const openChargeSorts: ListSorts<OpenCharge> = {
  columns: {
    made_at: chargeIdColumn,
    amount_cents: { expression: sql`amount_cents`, type: 'bigint', value: ({ amountCents }) => BigInt(amountCents) },
  },
  unique: chargeIdColumn,
  defaultSort: 'made_at',
};

/** Unfinished charges of all stores, for operators. By the partial index charges_under_way. */
export const listUnsettledCharges = (
  db: Queryable,
  state: OpenChargeState | null,
  { after, limit, order }: SortedPage<OpenCharge>,
): Promise<OpenCharge[]> =>
  db.all(sql`
    select ${columns} from charges
    where ${unfinished} ${state === null ? emptySql : sql`and state = ${state}`} ${afterKey(order, after)}
    ${orderBy(order)} limit ${limit + 1}`);

/** In creation order; of two with the same time the backup comes first. */
export const listChargesOfInvoice = (db: Queryable, { storeId, invoiceId }: InvoiceKey): Promise<Charge[]> =>
  db.all(sql`
    select ${columns} from charges where store_id = ${storeId} and invoice_id = ${invoiceId}
    order by made_at, is_backup desc, charge_id`);

/** The charge succeeded without an open invoice; an operator has to return the money. */
export async function markUnmatched(tx: Transaction, { storeId, chargeId }: ChargeKey, at: Date): Promise<void> {
  await tx.run(sql`update charges set stray_at = ${at} where store_id = ${storeId} and charge_id = ${chargeId}`);
}

/** Unmatched and not returned. A lost dispute has already returned the money. By a partial index. */
const awaitingReturn = sql`
  c.stray_at is not null and c.given_back_at is null
    and not exists (select 1 from disputes d where d.store_id = c.store_id and d.charge_id = c.charge_id)`;

export type UnmatchedCharge = ChargeKey &
  Pick<Charge, 'invoiceId' | 'amountCents' | 'provider' | 'providerId' | 'description'> & { readonly unmatchedAt: Date };

/** Of all stores, for operators. */
export const listUnmatchedCharges = (db: Queryable, { after, limit }: Page): Promise<UnmatchedCharge[]> =>
  db.all(sql`
    select c.store_id, c.charge_id, c.invoice_id, c.amount_cents, c.provider, c.provider_id, c.description,
      c.stray_at as unmatched_at from charges c
    where ${awaitingReturn} ${after === null ? emptySql : sql`and (c.store_id, c.charge_id) > (${after[0]}::uuid, ${after[1]}::uuid)`}
    order by c.store_id, c.charge_id limit ${limit + 1}`);

type ReturnedMoney = { readonly at: Date; readonly by: string; readonly note: string };

/** False: there is nothing to return, or it was returned. */
export async function markReturned(db: Queryable, { storeId, chargeId }: ChargeKey, { at, by, note }: ReturnedMoney): Promise<boolean> {
  const touched = await db.run(sql`
    update charges c set given_back_at = ${at}, given_back_by = ${by}, given_back_note = ${note}
    where c.store_id = ${storeId} and c.charge_id = ${chargeId} and ${awaitingReturn}`);
  return touched === 1;
}
