import type { Config } from '../core/config.ts';

type Operator = { readonly isOperator: boolean; readonly hasSecondFactor: boolean };
type Mode = Config['mode'];

/**
 * In live mode a password alone must not give access to every store and every payout. In the sandbox the second factor is each person's
 * choice.
 */
export const mustSetUpSecondFactor = ({ isOperator, hasSecondFactor }: Operator, mode: Mode): boolean =>
  mode === 'live' && isOperator && !hasSecondFactor;

/** Whether the operator's right applies now. */
export const actsAsOperator = (person: Operator, mode: Mode): boolean => person.isOperator && !mustSetUpSecondFactor(person, mode);
