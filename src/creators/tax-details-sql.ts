import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';

/** Without the tax ID, which stays sealed. */
export type TaxDetails = {
  readonly country: string;
  readonly legalName: string;
  readonly taxIdLast4: string;
  readonly changedAt: Date;
};

export const findTaxDetails = (db: Queryable, creatorId: Id<'crt'>): Promise<TaxDetails | null> =>
  db.find(sql`select country, legal_name, tax_id_last4, changed_at from creator_tax where creator_id = ${creatorId}`);

export async function findSealedTaxId(db: Queryable, creatorId: Id<'crt'>): Promise<Buffer | null> {
  const found = await db.find<{ taxIdSealed: Buffer }>(sql`select tax_id_sealed from creator_tax where creator_id = ${creatorId}`);
  return found?.taxIdSealed ?? null;
}

type TaxDetailsRow = TaxDetails & { readonly creatorId: Id<'crt'>; readonly taxIdSealed: Buffer };

export const saveTaxDetails = (
  db: Queryable,
  { creatorId, country, legalName, taxIdSealed, taxIdLast4, changedAt }: TaxDetailsRow,
): Promise<TaxDetails> =>
  db.one(sql`
    insert into creator_tax (creator_id, country, legal_name, tax_id_sealed, tax_id_last4, changed_at)
    values (${creatorId}, ${country}, ${legalName}, ${taxIdSealed}, ${taxIdLast4}, ${changedAt})
    on conflict (creator_id) do update set country = excluded.country, legal_name = excluded.legal_name,
      tax_id_sealed = excluded.tax_id_sealed, tax_id_last4 = excluded.tax_id_last4, changed_at = excluded.changed_at
    returning country, legal_name, tax_id_last4, changed_at`);

/** Keeps the tax ID. Null if there are no tax details yet. */
export const updateTaxName = (
  db: Queryable,
  { creatorId, country, legalName, changedAt }: Omit<TaxDetailsRow, 'taxIdSealed' | 'taxIdLast4'>,
): Promise<TaxDetails | null> =>
  db.find(sql`
    update creator_tax set country = ${country}, legal_name = ${legalName}, changed_at = ${changedAt} where creator_id = ${creatorId}
    returning country, legal_name, tax_id_last4, changed_at`);
