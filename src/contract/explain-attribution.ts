import { capitalize, time, type Reader } from './explain-text.ts';
import type { AttributionWhy, ComparedWhy, RejectedCodeWhy, Why } from './why.ts';

/** Which creator earns, by which rule, and what it was compared with. Each sentence ends with a space; empty if there was only a click. */
export function explainAttribution(why: Why, reader: Reader): string {
  const { rule, compared } = why;
  if (rule === undefined) return '';
  const owner = reader === 'creator' ? 'you' : (why.attributed_to ?? 'a creator');
  const isTellingCodes = reader === 'merchant' && why.rejected_codes !== undefined;
  const sentences = [
    creditSentence(why, owner),
    compared === undefined ? '' : `It also had ${comparedLabel(compared, reader)}; ${ruleLabels[rule]}`,
    isTellingCodes ? capitalize(rejectedCodes(why)) : '',
  ];
  return sentences.map((sentence) => (sentence === '' ? '' : `${sentence} `)).join('');
}

type Credit = Pick<Why, 'attributed_by' | 'discount_code' | 'customer_since' | 'customer_order' | 'rule'>;

function creditSentence(
  { attributed_by: by, discount_code: code, customer_since: since, customer_order: order, rule }: Credit,
  owner: string,
) {
  if (by === 'code') return `The discount code ${code ?? ''} belongs to ${owner}.`;
  if (by === 'customer' && since !== undefined)
    return `The customer first came through ${owner} on ${time(since)}, and this is their later order ${order ?? 1}.`;
  return rule === 'same_creator' ? `Its click and its discount code both belong to ${owner}, so it earns once.` : '';
}

function comparedLabel(
  { by, creator_id: creator, discount_code: code, clicked_at: clicked, customer_since: since }: ComparedWhy,
  reader: Reader,
) {
  const other = reader === 'creator' ? 'another creator' : creator;
  if (by === 'code') return `the discount code ${code ?? ''} of ${other}`;
  if (by === 'click') return `a click of ${other}${clicked === undefined ? '' : ` on ${time(clicked)}`}`;
  return `a customer who first came through ${other}${since === undefined ? '' : ` on ${time(since)}`}`;
}

/** Why one creator earns and not the other, by the rules of `decideAttribution`. */
const ruleLabels: Readonly<Record<AttributionWhy['rule'], string>> = {
  click: 'the program’s terms count the click first.',
  same_creator: 'the program’s terms count the click and the code first.',
  code_before_click: 'the program’s terms count a discount code before a click.',
  code: 'the program’s terms count the new code first.',
  returning_customer: 'the program’s terms count returning customers.',
  first_partner: 'the program’s terms keep a customer with the creator who brought them first.',
};

const rejectedCodeLabels: Readonly<Record<RejectedCodeWhy['because'], string>> = {
  codes_off: 'the terms of its program do not count codes',
  shared: 'it is shared, so it never earns',
  not_yet_valid: 'it was not valid yet',
  expired: 'it had expired',
  ended: 'it had ended',
  paused: 'it was paused',
  owner_not_active: 'its creator was not an active member of the program',
  program_not_published: 'its program is not published',
  store_past_due: 'the store was past due',
  no_customer_id: 'it has a limit per customer, and the order has no customer_id',
  customer_limit: 'this customer reached its limit',
};

export const rejectedCodes = ({ rejected_codes: rejected = [] }: Why): string => `${rejected.map(rejectedCode).join('; ')}.`;

const rejectedCode = ({ discount_code: code, because }: RejectedCodeWhy): string =>
  `the discount code ${code} does not count: ${rejectedCodeLabels[because]}`;

const winners = { click: 'a click', code: 'a discount code', customer: 'an earlier order of the customer' } as const;
const losers = { click: 'your click', code: 'your discount code', customer: 'a customer who first came through you' } as const;

/** For a creator whose click, code, or customer was in an order that earns for another creator. */
export function explainAnotherCreator({ rule, attributed_by: by = 'click', compared, occurred_at: occurred }: Why): string {
  if (rule === undefined || compared === undefined || occurred === undefined) return 'The order earns for another creator.';
  const code = compared.discount_code === undefined ? '' : ` ${compared.discount_code}`;
  const clicked = compared.clicked_at === undefined ? '' : ` of ${time(compared.clicked_at)}`;
  const own = `${losers[compared.by]}${code}${clicked}`;
  return `The order of ${time(occurred)} had ${own}, and ${winners[by]} of another creator; ${ruleLabels[rule]}`;
}
