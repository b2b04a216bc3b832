import type { Mutant } from './mutant.ts';
import { billingMutants } from './mutants-billing.ts';
import { accessMutants } from './mutants-access.ts';
import { orderMutants } from './mutants-orders.ts';

export const mutants: readonly Mutant[] = [...orderMutants, ...billingMutants, ...accessMutants];
