import { Type as T } from 'typebox';
import { listCreators } from '../creators/creators-sql.ts';
import { allStores } from '../merchants/stores-sql.ts';
import { endpoint } from '../people/endpoint.ts';
import type { Database } from '../db/database.ts';
import { fieldColumns, csvDownload, readAllPages, type CsvColumn } from '../http/csv.ts';
import { centsField, isoTime, namedObject } from '../http/fields.ts';
import { publicId } from '../core/ids.ts';
import { noCreator } from '../ledger/store-postings.ts';
import { creatorTransferCursor, listCreatorTransfers } from './creator-statement-sql.ts';
import { trialBalance } from './general-ledger-sql.ts';
import { parsePeriod, periodShape, type Period } from './period.ts';
import { storeTransferCursor, listStoreTransfers } from './store-statement-sql.ts';

export const trialBalanceEndpoint = endpoint({
  summary: 'Get the trial balance: each account of both books, for all stores and creators together',
  access: { allow: 'operator' },
  reply: namedObject('GeneralLedger', {
    accounts: T.Array(
      T.Object({ book: T.Enum(['stores', 'creators']), account: T.String(), debit_cents: centsField(), credit_cents: centsField() }),
    ),
    is_balanced: T.Boolean({ description: 'In each ledger, debits equal credits. The verification compares the ledgers with each other' }),
  }),
  async handle({ db }) {
    const accounts = await trialBalance(db);
    const surplus = (book: string) =>
      accounts.filter((one) => one.book === book).reduce((sum, { debitCents, creditCents }) => sum + debitCents - creditCents, 0n);
    return {
      accounts: accounts.map(({ book, account, debitCents, creditCents }) => ({
        book,
        account,
        debit_cents: debitCents,
        credit_cents: creditCents,
      })),
      is_balanced: surplus('stores') === 0n && surplus('creators') === 0n,
    };
  },
});

type GeneralLedgerLine = {
  readonly book: 'stores' | 'creators';
  readonly at: string;
  readonly store_id: string;
  readonly creator_id: string | null;
  readonly source_kind: string;
  readonly source_id: string;
  readonly debit: string;
  readonly credit: string;
  readonly amount_cents: bigint;
};

const columns: ReadonlyArray<CsvColumn<GeneralLedgerLine>> = [
  ...fieldColumns('book', 'at', 'store_id', 'creator_id', 'source_kind', 'source_id', 'debit', 'credit', 'amount_cents'),
];

export const exportLedgerEndpoint = endpoint({
  summary: 'Get the general ledger of a month as text/csv: all transfers of both books, by store and then by creator',
  access: { allow: 'operator' },
  query: T.Object({ period: T.String({ pattern: periodShape, description: 'A month, such as 2026-03' }) }, { additionalProperties: false }),
  files: ['text/csv'],
  async handle({ platform, query }) {
    const period = parsePeriod(query.period);
    return csvDownload(`ledger-${period.name}.csv`, columns, readGeneralLedger(platform.jobsDatabase, period));
  },
});

/** Queries one store or creator at a time, because a cluster distributes tables by store and creator. */
async function* readGeneralLedger(db: Database, period: Period): AsyncGenerator<readonly GeneralLedgerLine[]> {
  for await (const stores of readAllPages(
    (page) => allStores(db, page),
    ({ storeId }) => [storeId],
  )) {
    for (const { storeId } of stores) {
      for await (const transfers of readAllPages((page) => listStoreTransfers(db, storeId, period, page), storeTransferCursor)) {
        yield transfers.map(({ at, creatorId, sourceKind, sourceId, debit, credit, amountCents }) => ({
          book: 'stores',
          at: isoTime(at),
          store_id: publicId('store', storeId),
          creator_id: creatorId === noCreator ? null : publicId('crt', creatorId),
          source_kind: sourceKind,
          source_id: sourceId,
          debit,
          credit,
          amount_cents: amountCents,
        }));
      }
    }
  }
  for await (const creators of readAllPages(
    (page) => listCreators(db, page),
    ({ creatorId }) => [creatorId],
  )) {
    for (const { creatorId } of creators) {
      for await (const transfers of readAllPages((page) => listCreatorTransfers(db, creatorId, period, page), creatorTransferCursor)) {
        yield transfers.map(({ at, storeId, sourceKind, sourceId, debit, credit, amountCents }) => ({
          book: 'creators',
          at: isoTime(at),
          store_id: publicId('store', storeId),
          creator_id: publicId('crt', creatorId),
          source_kind: sourceKind,
          source_id: sourceId,
          debit,
          credit,
          amount_cents: amountCents,
        }));
      }
    }
  }
}
