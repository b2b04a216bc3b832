import type { Check } from '../platform/verify.ts';
import { balancesThatDiffer, countTransfers } from './sql.ts';

export const ledgerChecks: readonly Check[] = [
  { what: 'every balance is the sum of its transfers', rows: countTransfers, differences: balancesThatDiffer },
];
