import type { Check } from '../platform/verify.ts';
import { countCreatorTransfers, creatorBalancesThatDiffer } from './creator-sql.ts';
import { balancesThatDiffer, countTransfers } from './sql.ts';

export const ledgerChecks: readonly Check[] = [
  { what: "every balance of a store's book is the sum of its transfers", rows: countTransfers, differences: balancesThatDiffer },
  {
    what: "every balance of a creator's book is the sum of its transfers",
    rows: countCreatorTransfers,
    differences: creatorBalancesThatDiffer,
  },
];
