import type { CommissionAmount } from '../src/commissions/billing-sql.ts';
import type { Database, Transaction } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';
import { newId, type Id } from '../src/core/ids.ts';

/**
 * The straightforward implementation: take the next commission, change it, write its rows, commit. It writes the same rows as the bulk run.
 */
export async function invoiceNextAlone(database: Database, storeId: Id<'store'>): Promise<CommissionAmount | null> {
  const at = new Date();
  return database.transaction(async (tx) => {
    const next = await tx.find<CommissionAmount>(sql`
      select commission_id, creator_id, amount_cents from commissions
      where store_id = ${storeId} and state = 'approved' and held_reason is null and amount_cents > 0 and hold_until <= ${at}
      order by commission_id limit 1 for update`);
    if (next === null) return null;
    const { commissionId, creatorId, amountCents } = next;
    const [invoiceId, partId] = [storeId, newId<'part'>(at)];
    await tx.run(sql`
      update commissions set state = 'billed', invoice_id = ${invoiceId} where store_id = ${storeId} and commission_id = ${commissionId}`);
    await tx.run(sql`insert into invoices (store_id, invoice_id, state, began_at) values (${storeId}, ${invoiceId}, 'gathering', ${at})
      on conflict do nothing`);
    await tx.run(sql`
      insert into invoice_lines (store_id, commission_id, invoice_id, part_id, creator_id, amount_cents)
      values (${storeId}, ${commissionId}, ${invoiceId}, ${partId}, ${creatorId}, ${amountCents})`);
    await postAlone(tx, { storeId, creatorId, amountCents, at, sourceId: partId, kind: 'invoice', debit: 'owed', credit: 'expected' });
    return next;
  });
}

export async function collectAlone(
  database: Database,
  storeId: Id<'store'>,
  { commissionId, creatorId, amountCents }: CommissionAmount,
): Promise<void> {
  const at = new Date();
  await database.transaction(async (tx) => {
    await tx.one(sql`select 1 as one from commissions where store_id = ${storeId} and commission_id = ${commissionId} for update`);
    await tx.run(sql`update commissions set state = 'collected' where store_id = ${storeId} and commission_id = ${commissionId}`);
    await tx.run(sql`
      insert into creator_outbox (store_id, entry_id, creator_id, commission_id, kind, amount_cents, at)
      values (${storeId}, ${newId(at)}, ${creatorId}, ${commissionId}, 'collected', ${amountCents}, ${at})`);
    await postAlone(tx, { storeId, creatorId, amountCents, at, sourceId: newId(at), kind: 'charge', debit: 'collected', credit: 'owed' });
  });
}

type Alone = {
  readonly storeId: Id<'store'>;
  readonly creatorId: Id<'crt'>;
  readonly amountCents: bigint;
  readonly at: Date;
  readonly sourceId: Id;
  readonly kind: string;
  readonly debit: string;
  readonly credit: string;
};

async function postAlone(tx: Transaction, { storeId, creatorId, amountCents, at, sourceId, kind, debit, credit }: Alone): Promise<void> {
  await tx.run(sql`
    insert into transfers (store_id, source_kind, source_id, debit, credit, amount_cents, creator_id, at)
    values (${storeId}, ${kind}, ${sourceId}, ${debit}, ${credit}, ${amountCents}, ${creatorId}, ${at})`);
  await tx.run(sql`
    insert into balances as sums (store_id, account, creator_id, slot, debit_cents, credit_cents)
    values (${storeId}, ${debit}, ${creatorId}, 0, ${amountCents}, 0), (${storeId}, ${credit}, ${creatorId}, 0, 0, ${amountCents})
    on conflict (store_id, account, creator_id, slot) do update
    set debit_cents = sums.debit_cents + excluded.debit_cents, credit_cents = sums.credit_cents + excluded.credit_cents`);
}

/** Removes these rows, which have no invoice, so that verification sees only the rows of the service. */
export async function forgetAlone(database: Database, storeId: Id<'store'>): Promise<void> {
  await database.run(sql`delete from creator_outbox where store_id = ${storeId}`);
  await database.run(sql`delete from invoice_lines where store_id = ${storeId}`);
  await database.run(sql`delete from invoices where store_id = ${storeId}`);
  await database.run(sql`delete from commissions where store_id = ${storeId}`);
  await database.run(sql`delete from transfers where store_id = ${storeId}`);
  await database.run(sql`delete from balances where store_id = ${storeId}`);
  await database.run(sql`delete from store_days where store_id = ${storeId}`);
}
