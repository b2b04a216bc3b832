import type { Check } from '../platform/verify.ts';
import { countCreatorTransfers, creatorBalancesThatDiffer } from './creator-sql.ts';
import { creatorsBelowZero, storesBelowZero } from './order-of-time-sql.ts';
import { balancesThatDiffer, countTransfers } from './sql.ts';

export const ledgerChecks: readonly Check[] = [
  { what: "every balance of a store's book is the sum of its transfers", rows: countTransfers, differences: balancesThatDiffer },
  {
    what: "every balance of a creator's book is the sum of its transfers",
    rows: countCreatorTransfers,
    differences: creatorBalancesThatDiffer,
  },
  {
    what: 'nothing was billed before it was recorded, nor collected before it was billed, at any moment',
    rows: countTransfers,
    differences: storesBelowZero,
  },
  {
    what: "no creator's available balance was below zero, nor was anything paid before it was collected, at any moment",
    rows: countCreatorTransfers,
    differences: creatorsBelowZero,
  },
];
