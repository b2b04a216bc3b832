import type { Transaction } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import { newId, type Id } from '../platform/ids.ts';
import type { InvoiceKey } from './invoice.ts';

/** The fact that a transaction moves some of an invoice's commissions by: a statement finds the invoice by it. */
export async function beginPart(tx: Transaction, { storeId, invoiceId }: InvoiceKey, now: Date): Promise<Id<'part'>> {
  const partId = newId<'part'>(now);
  await tx.run(sql`insert into invoice_parts (store_id, part_id, invoice_id) values (${storeId}, ${partId}, ${invoiceId})`);
  return partId;
}
