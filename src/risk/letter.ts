import type { Letter } from '../notify/letter.ts';
import { ruleSentences, type RiskRule } from './case.ts';

type NewCases = { readonly rules: readonly RiskRule[]; readonly url: string };

/** To the operators: one mail about everything that is new, with no name in it. */
export function newCasesLetter({ rules, url }: NewCases): Letter {
  const counts = [...Map.groupBy(rules, (rule) => rule)].map(([rule, all]) => `${all.length} × ${ruleSentences[rule]}`);
  return {
    subject: rules.length === 1 ? 'A new risk case keeps payouts back' : `${rules.length} new risk cases keep payouts back`,
    sentences: ['Until an operator releases them, what these cases are about is not paid out.', ...counts],
    button: { label: 'Review the cases', url },
    afterwards: [],
  };
}
