import { never } from '../core/invariant.ts';
import { apiMessage } from '../messages/api-message.ts';
import type { Speech } from './speech.ts';
import type { EarnedWhy, TermsWhy } from './why.ts';

/** Why another version of the terms applied than the one in force for all; empty otherwise. */
export function explainTerms(earned: readonly EarnedWhy[], speech: Speech): string {
  return explainTermsChoice(
    earned.map(({ terms, rule }) => terms ?? rule?.terms).find((one) => one !== undefined),
    speech,
  );
}

/** The same for a subscription at its bind, whose rule has the choice. */
export function explainTermsChoice(why: TermsWhy | undefined, { reader, say, day, time }: Speech): string {
  if (why === undefined) return '';
  const { because, version, at, changed_version: changed, changed_from: from } = why;
  switch (because) {
    case 'accepted': {
      const facts = { version, accepted: time(at), from: day(from) };
      return reader === 'creator' ? say('terms_choice.accepted_by_reader', facts) : apiMessage('terms_choice.accepted', facts);
    }
    case 'click_before_change':
      return say('terms_choice.click_before_change', { version, clicked: time(at), changed, from: day(from) });
    default:
      return never(because);
  }
}
