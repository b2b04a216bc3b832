import { sealedSigningKeys } from '../clicks/signing-keys.ts';
import { sealedDestinations } from '../creators/payout-methods.ts';
import { sealedTaxIds } from '../creators/tax-details-api.ts';
import { sealedEmailBodies } from '../notify/stored-email.ts';
import { sealedPayoutDestinations } from '../payouts/manual-payouts-api.ts';
import { sealedReplies } from '../people/idempotency.ts';
import { sealedReplacementFactors, sealedSecondFactors } from '../people/second-factor.ts';
import type { Database } from '../db/database.ts';
import { listSealed, replaceSealed, type SealedColumn, type SealedRow } from '../db/sealed-columns.ts';
import type { Secrets } from '../core/secrets.ts';
import { sealedShopifySecrets } from '../shopify-orders/connection.ts';
import { sealedStripeSecrets } from '../stripe-orders/connection.ts';
import { sealedWebhookSecrets } from '../webhooks/signatures.ts';
import { boundedKeysetPages } from '../db/keyset-pages.ts';

/**
 * Every column that holds sealed values (test/operations/reseal.test.ts compares with the schema). The signing keys are last: a start
 * opens them first, so that a service with the new key alone does not start before everything else is under it.
 */
export const sealedColumns: readonly SealedColumn[] = [
  sealedReplies,
  sealedEmailBodies,
  sealedSecondFactors,
  sealedReplacementFactors,
  sealedTaxIds,
  sealedDestinations,
  sealedPayoutDestinations,
  sealedWebhookSecrets,
  ...sealedStripeSecrets,
  ...sealedShopifySecrets,
  sealedSigningKeys,
];

const pageBounds = { rowsPerPage: 500, pagesMax: 10_000_000 };

export type ResealResult = {
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
  readonly onProgress?: (column: SealedColumn, done: number) => void;
};

/**
 * Seals every value anew with SECRET_KEY. It may be ended and begun again at any time, and run beside the service and beside itself: each
 * value is replaced only where it is still the one that was read. The signing keys stay as they are while anything else is unreadable.
 */
export async function reseal(options: ResealOptions): Promise<readonly ResealResult[]> {
  const done: ResealResult[] = [];
  for (const column of sealedColumns) {
    if (column === sealedSigningKeys && done.some(({ unreadable }) => unreadable.length > 0)) break;
    done.push(await resealColumn(column, options));
  }
  return done;
}

async function resealColumn(column: SealedColumn, { database, secrets, onProgress }: ResealOptions): Promise<ResealResult> {
  const unreadable: string[] = [];
  const counts = { resealed: 0, already: 0 };
  const pages = boundedKeysetPages(
    pageBounds,
    ({ key }: SealedRow) => key,
    (page) => listSealed(database, column, page),
  );
  for await (const rows of pages) {
    for (const row of rows) {
      const fresh = resealValue(secrets, column, row);
      if (fresh === 'unreadable') unreadable.push(row.key.join(' '));
      else if (fresh === null) counts.already += 1;
      else counts.resealed += await replaceSealed(database, column, row, fresh);
    }
    if (rows.length > 0) onProgress?.(column, counts.resealed + counts.already + unreadable.length);
  }
  return { table: column.table, column: column.column, ...counts, unreadable };
}

function resealValue(secrets: Secrets, column: SealedColumn, { key, sealed }: SealedRow): Buffer | null | 'unreadable' {
  try {
    return secrets.reseal(sealed, column.boundTo(key));
  } catch {
    return 'unreadable';
  }
}
