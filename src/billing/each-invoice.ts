import type { Id } from '../platform/ids.ts';
import type { InvoiceKey } from './invoice.ts';
import type { InvoiceWalk } from './invoices-sql.ts';

const readAtOnce = 500;
const roundsMax = 10_000;

/** All that a question finds, of one store or of all, a stretch at a time: what cannot be done now does not hide what is behind it. */
export async function* eachInvoice(
  storeId: Id<'store'> | null,
  read: (walk: InvoiceWalk) => Promise<readonly InvoiceKey[]>,
): AsyncGenerator<InvoiceKey> {
  let after: InvoiceKey | null = null;
  for (let round = 0; round < roundsMax; round++) {
    const keys: readonly InvoiceKey[] = await read({ storeId, after, limit: readAtOnce });
    yield* keys;
    if (keys.length < readAtOnce) return;
    after = keys.at(-1) ?? null;
  }
}
