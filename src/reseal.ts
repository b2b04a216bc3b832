import { sealedSigningKeys } from './clicks/signing-keys.ts';
import { sealedDestinations } from './creators/payout-methods.ts';
import { sealedTaxIds } from './creators/tax-api.ts';
import { sealedMails } from './notify/mail.ts';
import { sealedPayoutDestinations } from './payouts/bank-list.ts';
import { sealedReplies } from './people/idempotency.ts';
import { sealedReplacementFactors, sealedSecondFactors } from './people/second-factor.ts';
import type { Database } from './platform/database/database.ts';
import { listSealed, replaceSealed, type SealedColumn, type SealedRow } from './platform/database/sealed-columns.ts';
import type { Secrets } from './platform/secrets.ts';
import { sealedWebhookSecrets } from './webhooks/secrets.ts';

/**
 * Every column that holds sealed values (test/operating/reseal.test.ts compares with the schema). The signing keys are last: a start
 * opens them first, so that a service with the new key alone does not start before everything else is under it.
 */
export const sealedColumns: readonly SealedColumn[] = [
  sealedReplies,
  sealedMails,
  sealedSecondFactors,
  sealedReplacementFactors,
  sealedTaxIds,
  sealedDestinations,
  sealedPayoutDestinations,
  sealedWebhookSecrets,
  sealedSigningKeys,
];

const rowsAtOnce = 500;

export type Resealed = {
  readonly table: string;
  readonly column: string;
  readonly resealed: number;
  readonly already: number;
  /** Rows, by their keys, that neither key opens. */
  readonly unreadable: readonly string[];
};

export type ResealOptions = {
  readonly database: Database;
  readonly secrets: Secrets;
  /** After each batch. */
  readonly told?: (column: SealedColumn, done: number) => void;
};

/**
 * Seals every value anew with SECRET_KEY. It may be ended and begun again at any time, and run beside the service and beside itself: each
 * value is replaced only where it is still the one that was read. The signing keys stay as they are while anything else is unreadable.
 */
export async function reseal(options: ResealOptions): Promise<readonly Resealed[]> {
  const done: Resealed[] = [];
  for (const column of sealedColumns) {
    if (column === sealedSigningKeys && done.some(({ unreadable }) => unreadable.length > 0)) break;
    done.push(await resealColumn(column, options));
  }
  return done;
}

async function resealColumn(column: SealedColumn, { database, secrets, told }: ResealOptions): Promise<Resealed> {
  const unreadable: string[] = [];
  const counts = { resealed: 0, already: 0 };
  let after: readonly string[] | null = null;
  for (;;) {
    const rows: readonly SealedRow[] = await listSealed(database, column, { after, limit: rowsAtOnce });
    for (const row of rows) {
      const fresh = freshSeal(secrets, column, row);
      if (fresh === 'unreadable') unreadable.push(row.key.join(' '));
      else if (fresh === null) counts.already += 1;
      else counts.resealed += await replaceSealed(database, column, row, fresh);
    }
    if (rows.length > 0) told?.(column, counts.resealed + counts.already + unreadable.length);
    after = rows.at(-1)?.key ?? null;
    if (rows.length < rowsAtOnce || after === null) break;
  }
  return { table: column.table, column: column.column, ...counts, unreadable };
}

function freshSeal(secrets: Secrets, column: SealedColumn, { key, sealed }: SealedRow): Buffer | null | 'unreadable' {
  try {
    return secrets.reseal(sealed, column.boundTo(key));
  } catch {
    return 'unreadable';
  }
}
