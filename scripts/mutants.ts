import type { Mutant } from './mutant.ts';
import { billMutants } from './mutants-bills.ts';
import { doorMutants } from './mutants-doors.ts';
import { orderMutants } from './mutants-orders.ts';

export const mutants: readonly Mutant[] = [...orderMutants, ...billMutants, ...doorMutants];
