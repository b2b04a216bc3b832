import { never } from '../core/invariant.ts';
import { apiMessage } from '../messages/api-message.ts';
import { capitalize, type Speech } from './speech.ts';
import type { AttributionWhy, ComparedWhy, RejectedCodeWhy, Why } from './why.ts';

/** Which creator earns, by which rule, and what it was compared with. Empty if there was only a click. */
export function explainAttribution(why: Why, speech: Speech): string {
  const { rule, compared } = why;
  if (rule === undefined) return '';
  const facts = { rule: speech.say(ruleMessages[rule]), compared };
  return speech.paragraph(
    speech.reader === 'creator'
      ? [ownCreditSentence(why, speech), comparedWithAnother(facts, speech)]
      : [creditSentence(why, speech), alsoHad(facts, speech), why.rejected_codes === undefined ? null : capitalize(rejectedCodes(why))],
  );
}

function ownCreditSentence(
  { attributed_by: by, discount_code: code = '', customer_since: since, customer_order: order = 1, rule }: Why,
  { say, time }: Speech,
): string | null {
  if (by === 'code') return say('attribution.code_belongs_to_you', { code });
  if (by === 'customer' && since !== undefined)
    return say('attribution.customer_came_through_you', { since: time(since), order: String(order) });
  return rule === 'same_creator' ? say('attribution.click_and_code_belong_to_you') : null;
}

function creditSentence(
  { attributed_by: by, attributed_to: owner = apiMessage('attribution.a_creator'), ...why }: Why,
  { time }: Speech,
): string | null {
  const { discount_code: code = '', customer_since: since, customer_order: order = 1, rule } = why;
  if (by === 'code') return apiMessage('attribution.code_belongs_to', { code, owner });
  if (by === 'customer' && since !== undefined)
    return apiMessage('attribution.customer_came_through', { owner, since: time(since), order: String(order) });
  return rule === 'same_creator' ? apiMessage('attribution.click_and_code_belong_to', { owner }) : null;
}

type Compared = { readonly compared: ComparedWhy | undefined; readonly rule: string };

/** Does not name the other creator. */
function comparedWithAnother({ compared, rule }: Compared, { say, time }: Speech): string | null {
  if (compared === undefined) return null;
  const { by, discount_code: code = '', clicked_at: clicked, customer_since: since } = compared;
  if (by === 'code') return say('attribution.also_had_code', { code, rule });
  if (by === 'click')
    return clicked === undefined
      ? say('attribution.also_had_click', { rule })
      : say('attribution.also_had_click_on', { clicked: time(clicked), rule });
  return since === undefined
    ? say('attribution.also_had_customer', { rule })
    : say('attribution.also_had_customer_since', { since: time(since), rule });
}

const alsoHad = ({ compared, rule }: Compared, speech: Speech): string | null =>
  compared === undefined ? null : apiMessage('attribution.also_had', { compared: comparedLabel(compared, speech), rule });

function comparedLabel(
  { by, creator_id: other, discount_code: code = '', clicked_at: clicked, customer_since: since }: ComparedWhy,
  { time }: Speech,
): string {
  if (by === 'code') return apiMessage('attribution.code_of', { code, other });
  if (by === 'click')
    return clicked === undefined
      ? apiMessage('attribution.click_of', { other })
      : apiMessage('attribution.click_of_on', { other, clicked: time(clicked) });
  return since === undefined
    ? apiMessage('attribution.customer_of', { other })
    : apiMessage('attribution.customer_of_since', { other, since: time(since) });
}

/** Why one creator earns and not the other, by the rules of `decideAttribution`. */
const ruleMessages = {
  click: 'attribution.rule_click',
  same_creator: 'attribution.rule_same_creator',
  code_before_click: 'attribution.rule_code_before_click',
  code: 'attribution.rule_code',
  returning_customer: 'attribution.rule_returning_customer',
  first_partner: 'attribution.rule_first_partner',
} as const satisfies Readonly<Record<AttributionWhy['rule'], string>>;

const rejectedCodeMessages = {
  codes_off: 'rejected_code.codes_off',
  shared: 'rejected_code.shared',
  not_yet_valid: 'rejected_code.not_yet_valid',
  expired: 'rejected_code.expired',
  ended: 'rejected_code.ended',
  paused: 'rejected_code.paused',
  owner_not_active: 'rejected_code.owner_not_active',
  program_not_published: 'rejected_code.program_not_published',
  store_past_due: 'rejected_code.store_past_due',
  no_customer_id: 'rejected_code.no_customer_id',
  customer_limit: 'rejected_code.customer_limit',
  not_first: 'rejected_code.not_first',
} as const satisfies Readonly<Record<RejectedCodeWhy['because'], string>>;

export function rejectedCodes({ rejected_codes: rejected = [] }: Why): string {
  const codes = rejected.map(({ discount_code: code, because }) =>
    apiMessage('rejected_code.does_not_count', { code, because: apiMessage(rejectedCodeMessages[because]) }),
  );
  return `${codes.join('; ')}.`;
}

const ownCodeMessages = {
  codes_off: 'own_code.codes_off',
  shared: 'rejected_code.shared',
  not_yet_valid: 'rejected_code.not_yet_valid',
  expired: 'rejected_code.expired',
  ended: 'rejected_code.ended',
  paused: 'rejected_code.paused',
  owner_not_active: 'own_code.owner_not_active',
  program_not_active: 'own_code.program_not_active',
  no_customer_id: 'own_code.no_customer_id',
  customer_limit: 'rejected_code.customer_limit',
  not_first: 'rejected_code.not_first',
} as const;
type OwnCodeBecause = keyof typeof ownCodeMessages;

/** For the creator of the code. What concerns only the store and its program is not named. */
export const ownCodeBecause = (because: RejectedCodeWhy['because']): OwnCodeBecause =>
  because === 'program_not_published' || because === 'store_past_due' ? 'program_not_active' : because;

/** The kind of report that named the click, code, or customer of the creator. */
type Subject = 'order' | 'subscription' | 'lead';
const subjectOf = (kind: Subject) => (kind === 'order' ? 'other' : kind);

/** For a creator whose codes were in an order and did not count. */
export function explainOwnCodes(
  kind: Subject,
  { occurred_at: occurred, rejected_codes: rejected = [] }: Why,
  { say, time, paragraph }: Speech,
): string {
  const sentences = rejected.map(({ discount_code: code, because }) => {
    const facts = { subject: subjectOf(kind), code, because: say(ownCodeMessages[ownCodeBecause(because)]) } as const;
    return occurred === undefined
      ? say('own_code.does_not_count', facts)
      : say('own_code.does_not_count_on', { ...facts, occurred: time(occurred) });
  });
  return paragraph(sentences);
}

const winners = {
  click: 'attribution.won_click',
  code: 'attribution.won_code',
  customer: 'attribution.won_customer',
} as const;

/** For a creator whose click, code, or customer was in an order that earns for another creator. */
export function explainAnotherCreator(
  kind: Subject,
  { rule, attributed_by: by = 'click', compared, occurred_at: occurred }: Why,
  speech: Speech,
): string {
  const { say, time } = speech;
  const subject = subjectOf(kind);
  if (rule === undefined || compared === undefined || occurred === undefined) return say('attribution.earns_for_another', { subject });
  return say('attribution.earned_by_another', {
    subject,
    occurred: time(occurred),
    lost: lostLabel(compared, speech),
    won: say(winners[by]),
    rule: say(ruleMessages[rule]),
  });
}

function lostLabel({ by, discount_code: code = '', clicked_at: clicked }: ComparedWhy, { say, time }: Speech): string {
  switch (by) {
    case 'click':
      return clicked === undefined ? say('attribution.lost_click') : say('attribution.lost_click_of', { clicked: time(clicked) });
    case 'code':
      return say('attribution.lost_code', { code });
    case 'customer':
      return say('attribution.lost_customer');
    default:
      return never(by);
  }
}
