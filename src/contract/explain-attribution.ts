import { apiMessage } from '../messages/api-message.ts';
import { capitalize, time, type Reader } from './explain-text.ts';
import type { AttributionWhy, ComparedWhy, RejectedCodeWhy, Why } from './why.ts';

/** Which creator earns, by which rule, and what it was compared with. Each sentence ends with a space; empty if there was only a click. */
export function explainAttribution(why: Why, reader: Reader): string {
  const { rule, compared } = why;
  if (rule === undefined) return '';
  const owner = reader === 'creator' ? apiMessage('attribution.you') : (why.attributed_to ?? apiMessage('attribution.a_creator'));
  const showsCodes = reader === 'merchant' && why.rejected_codes !== undefined;
  const sentences = [
    creditSentence(why, owner),
    compared === undefined
      ? ''
      : apiMessage('attribution.also_had', { compared: comparedLabel(compared, reader), rule: apiMessage(ruleMessages[rule]) }),
    showsCodes ? capitalize(rejectedCodes(why)) : '',
  ];
  return sentences.map((sentence) => (sentence === '' ? '' : `${sentence} `)).join('');
}

type Credit = Pick<Why, 'attributed_by' | 'discount_code' | 'customer_since' | 'customer_order' | 'rule'>;

function creditSentence(
  { attributed_by: by, discount_code: code = '', customer_since: since, customer_order: order = 1, rule }: Credit,
  owner: string,
): string {
  if (by === 'code') return apiMessage('attribution.code_belongs_to', { code, owner });
  if (by === 'customer' && since !== undefined)
    return apiMessage('attribution.customer_came_through', { owner, since: time(since), order: String(order) });
  return rule === 'same_creator' ? apiMessage('attribution.click_and_code_belong_to', { owner }) : '';
}

function comparedLabel(
  { by, creator_id: creator, discount_code: code = '', clicked_at: clicked, customer_since: since }: ComparedWhy,
  reader: Reader,
): string {
  const other = reader === 'creator' ? apiMessage('attribution.another_creator') : creator;
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

/** For a creator whose codes were in an order and did not count. */
export function explainOwnCodes(
  kind: 'order' | 'subscription' | 'lead',
  { occurred_at: occurred, rejected_codes: rejected = [] }: Why,
): string {
  const sentences = rejected.map(({ discount_code: code, because }) =>
    apiMessage('own_code.does_not_count', {
      subject: kind === 'order' ? 'other' : kind,
      time: occurred === undefined ? '' : apiMessage('own_code.placed_at', { occurred: time(occurred) }),
      code,
      because: apiMessage(ownCodeMessages[ownCodeBecause(because)]),
    }),
  );
  return sentences.join(' ');
}

const winners = {
  click: 'attribution.won_click',
  code: 'attribution.won_code',
  customer: 'attribution.won_customer',
} as const;
const losers = {
  click: 'attribution.lost_click',
  code: 'attribution.lost_code',
  customer: 'attribution.lost_customer',
} as const;

/** For a creator whose click, code, or customer was in an order that earns for another creator. */
export function explainAnotherCreator(
  kind: 'order' | 'subscription' | 'lead',
  { rule, attributed_by: by = 'click', compared, occurred_at: occurred }: Why,
): string {
  const subject = kind === 'order' ? 'other' : kind;
  if (rule === undefined || compared === undefined || occurred === undefined)
    return apiMessage('attribution.earns_for_another', { subject });
  const code = compared.discount_code === undefined ? '' : ` ${compared.discount_code}`;
  const clicked = compared.clicked_at === undefined ? '' : apiMessage('attribution.clicked_at', { clicked: time(compared.clicked_at) });
  return apiMessage('attribution.earned_by_another', {
    subject,
    occurred: time(occurred),
    lost: `${apiMessage(losers[compared.by])}${code}${clicked}`,
    won: apiMessage(winners[by]),
    rule: apiMessage(ruleMessages[rule]),
  });
}
