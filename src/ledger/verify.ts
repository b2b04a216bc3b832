import type { Check } from '../db/check.ts';
import { countCreatorTransfers, creatorBalanceDifferences } from './creator-ledger-sql.ts';
import { negativeCreatorBalances, negativeStoreBalances } from './negative-balances-sql.ts';
import { countTransfers, storeBalanceDifferences } from './store-ledger-sql.ts';

export const ledgerChecks: readonly Check[] = [
  {
    what: "every balance of a store's book is the sum of its transfers",
    rows: countTransfers,
    differences: storeBalanceDifferences,
  },
  {
    what: "every balance of a creator's book is the sum of its transfers",
    rows: countCreatorTransfers,
    differences: creatorBalanceDifferences,
  },
  {
    what: 'nothing was billed before it was recorded, nor collected before it was billed, at any moment',
    rows: countTransfers,
    differences: negativeStoreBalances,
  },
  {
    what: "no creator's available balance was below zero, nor was anything paid before it was collected, at any moment",
    rows: countCreatorTransfers,
    differences: negativeCreatorBalances,
  },
];
