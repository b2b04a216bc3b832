import type { Queryable, Transaction } from '../platform/database/database.ts';
import { nothing, sql } from '../platform/database/sql.ts';
import type { Page } from '../platform/http/page.ts';
import type { Id } from '../platform/ids.ts';
import type { Cents } from '../platform/money.ts';
import { must } from '../platform/must.ts';
import type { ChargeProvider } from '../providers/provider.ts';
import type { ChargeableState, ChargeState, OpenChargeState } from './decide-charge.ts';
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
/** Written out in SQL: only so are the partial indexes found. */
export const underWay = sql`state in ('ready', 'sending', 'pending', 'unknown')`;

export type NewCharge = Omit<Charge, 'state' | 'calledAt' | 'providerId' | 'code' | 'message' | 'endedAt'>;

/** By charge_under_way a second one of an invoice cannot be written: who calls this holds the invoice, and looked. */
export async function insertCharge(tx: Transaction, made: NewCharge): Promise<void> {
  await tx.run(sql`
    insert into charges (store_id, charge_id, invoice_id, state, amount_cents, payment_method_id, provider, instrument, description,
      is_backup, invoice_was, made_at)
    values (${made.storeId}, ${made.chargeId}, ${made.invoiceId}, 'ready', ${made.amountCents}, ${made.paymentMethodId},
      ${made.provider}, ${made.instrument}, ${made.description}, ${made.isBackup}, ${made.invoiceWas}, ${made.madeAt})`);
  await tx.run(sql`insert into charge_references (charge_id, store_id) values (${made.chargeId}, ${made.storeId})`);
}

/** Whose charge it is: the directory, because a provider's news names nothing but it. */
export async function storeOfCharge(db: Queryable, chargeId: Id<'chg'>): Promise<Id<'store'> | null> {
  const row = await db.find<{ storeId: Id<'store'> }>(sql`select store_id from charge_references where charge_id = ${chargeId}`);
  return row?.storeId ?? null;
}

export const findCharge = (db: Queryable, { storeId, chargeId }: ChargeKey): Promise<Charge | null> =>
  db.find(sql`select ${columns} from charges where store_id = ${storeId} and charge_id = ${chargeId}`);

/** Who holds its invoice locks it after it: always in this order. */
export const lockCharge = (tx: Transaction, { storeId, chargeId }: ChargeKey): Promise<Charge | null> =>
  tx.find(sql`select ${columns} from charges where store_id = ${storeId} and charge_id = ${chargeId} for update`);

/** A call is about to be made: committed before it is. Null where it has ended meanwhile, and nothing is to be sent. */
export const markSending = (db: Queryable, { storeId, chargeId }: ChargeKey, at: Date): Promise<Charge | null> =>
  db.find(sql`
    update charges set state = case when state = 'ready' then 'sending' else state end, called_at = ${at}
    where store_id = ${storeId} and charge_id = ${chargeId} and state in ('ready', 'sending', 'unknown') returning ${columns}`);

export type ChargeEnd = {
  readonly state: ChargeState;
  readonly providerId: string | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly endedAt: Date | null;
};

export async function changeCharge(tx: Transaction, { storeId, chargeId }: ChargeKey, end: ChargeEnd): Promise<void> {
  const touched = await tx.run(sql`
    update charges set state = ${end.state}, provider_id = coalesce(${end.providerId}, provider_id), code = ${end.code},
      message = ${end.message}, ended_at = ${end.endedAt}, called_at = coalesce(called_at, made_at)
    where store_id = ${storeId} and charge_id = ${chargeId}`);
  must(touched === 1, 'a charge that is held is there');
}

export async function isUnderWay(tx: Transaction, { storeId, invoiceId }: InvoiceKey): Promise<boolean> {
  return (
    (await tx.find(sql`select 1 as one from charges where store_id = ${storeId} and invoice_id = ${invoiceId} and ${underWay}`)) !== null
  );
}

/** What has no end yet. Of one store, or of all: by charges_under_way, which holds nothing else. */
export const chargesUnderWay = (
  db: Queryable,
  { storeId, after, limit }: { readonly storeId: Id<'store'> | null; readonly after: ChargeKey | null; readonly limit: number },
): Promise<Charge[]> =>
  db.all(sql`
    select ${columns} from charges
    where ${underWay} ${storeId === null ? nothing : sql`and store_id = ${storeId}`}
      ${after === null ? nothing : sql`and (store_id, charge_id) > (${after.storeId}::uuid, ${after.chargeId}::uuid)`}
    order by store_id, charge_id limit ${limit}`);

export type OpenCharge = Omit<Charge, 'state'> & { readonly state: OpenChargeState };

/** Of all stores, for operators: by charges_under_way, which holds nothing else. */
export const openCharges = (db: Queryable, state: OpenChargeState | null, { after, limit }: Page): Promise<OpenCharge[]> =>
  db.all(sql`
    select ${columns} from charges
    where ${underWay} ${state === null ? nothing : sql`and state = ${state}`}
      ${after === null ? nothing : sql`and (store_id, charge_id) > (${after[0]}::uuid, ${after[1]}::uuid)`}
    order by store_id, charge_id limit ${limit + 1}`);

/** In the order they were made: of two at one moment the backup was the first. */
export const chargesOfInvoice = (db: Queryable, { storeId, invoiceId }: InvoiceKey): Promise<Charge[]> =>
  db.all(sql`
    select ${columns} from charges where store_id = ${storeId} and invoice_id = ${invoiceId}
    order by made_at, is_backup desc, charge_id`);

/** Its money came in, and nobody owed it: somebody has to send it back. */
export async function markStray(tx: Transaction, { storeId, chargeId }: ChargeKey, at: Date): Promise<void> {
  await tx.run(sql`update charges set stray_at = ${at} where store_id = ${storeId} and charge_id = ${chargeId}`);
}

/** Stray and not given back; what was disputed and lost went back by itself. By charges_stray. */
const toGiveBack = sql`
  c.stray_at is not null and c.given_back_at is null
    and not exists (select 1 from disputes d where d.store_id = c.store_id and d.charge_id = c.charge_id)`;

export type StrayCharge = ChargeKey &
  Pick<Charge, 'invoiceId' | 'amountCents' | 'provider' | 'providerId' | 'description'> & { readonly strayAt: Date };

/** Of all stores, for operators. */
export const strayCharges = (db: Queryable, { after, limit }: Page): Promise<StrayCharge[]> =>
  db.all(sql`
    select c.store_id, c.charge_id, c.invoice_id, c.amount_cents, c.provider, c.provider_id, c.description, c.stray_at from charges c
    where ${toGiveBack} ${after === null ? nothing : sql`and (c.store_id, c.charge_id) > (${after[0]}::uuid, ${after[1]}::uuid)`}
    order by c.store_id, c.charge_id limit ${limit + 1}`);

type GivenBack = { readonly at: Date; readonly by: string; readonly note: string };

/** False where there is nothing to give back, or somebody did. */
export async function markGivenBack(db: Queryable, { storeId, chargeId }: ChargeKey, { at, by, note }: GivenBack): Promise<boolean> {
  const touched = await db.run(sql`
    update charges c set given_back_at = ${at}, given_back_by = ${by}, given_back_note = ${note}
    where c.store_id = ${storeId} and c.charge_id = ${chargeId} and ${toGiveBack}`);
  return touched === 1;
}
