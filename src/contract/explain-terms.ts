import { never } from '../core/invariant.ts';
import { apiMessage } from '../messages/api-message.ts';
import { day, time, type Reader } from './explain-text.ts';
import type { EarnedWhy, RuleWhy, TermsWhy } from './why.ts';

/** Why another version of the terms applied than the one in force for all, followed by a space; empty otherwise. */
export function explainTerms(earned: readonly EarnedWhy[], reader: Reader): string {
  const why = earned.map(({ terms, rule }) => terms ?? rule?.terms).find((one) => one !== undefined);
  return why === undefined ? '' : `${sentence(why, reader)} `;
}

/** Of a subscription at its bind. */
export const explainBoundTerms = (rule: RuleWhy | undefined, reader: Reader): string =>
  rule?.terms === undefined ? '' : `${sentence(rule.terms, reader)} `;

function sentence({ because, version, at, changed_version: changed, changed_from: from }: TermsWhy, reader: Reader): string {
  switch (because) {
    case 'accepted': {
      const facts = { version, accepted: time(at), from: day(from) };
      return reader === 'creator' ? apiMessage('terms_choice.accepted_by_reader', facts) : apiMessage('terms_choice.accepted', facts);
    }
    case 'click_before_change':
      return apiMessage('terms_choice.click_before_change', { version, clicked: time(at), changed, from: day(from) });
    default:
      return never(because);
  }
}
