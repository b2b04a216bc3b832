import type { Member, MemberGroup, OwnRates, Terms } from '../../../../sdk/src/api-schema.ts';
import { useShortList } from '../../ui/list.tsx';
import { orderRuleTexts, subscriptionRuleText } from '../../ui/program-terms.ts';
import { membersPath } from '../creators/members-api.ts';
import { groupsPath } from './programs-api.ts';
import { t } from './messages.ts';

/** The groups and members that can have their own rates. */
export type RateSubjects = { readonly groups: readonly MemberGroup[]; readonly members: readonly Member[] };

/** The API returns at most so many per page. */
const rowsMax = 200;

export function useRateSubjects(store: string, program: string): RateSubjects {
  const groups = useShortList(groupsPath(store, program), { rowsPerPage: rowsMax });
  const members = useShortList(membersPath(store, program), { rowsPerPage: rowsMax });
  return { groups: groups.rows, members: members.rows.filter(({ status }) => status !== 'removed') };
}

export const subjectIdOf = ({ group_id: group, member_id: member }: Pick<OwnRates, 'group_id' | 'member_id'>): string =>
  group ?? member ?? '';

export function subjectName(id: string, { groups, members }: RateSubjects): string {
  const group = groups.find((one) => one.id === id);
  if (group !== undefined) return t.own_rates.group({ name: group.name });
  return members.find((one) => one.id === id)?.creator_name ?? id;
}

/** Null: one rate for all orders, which the form edits. Otherwise the rules, which it keeps as they are. */
export function keptRules({ order_rules: orders, subscription_rules: subscriptions }: OwnRates, terms: Pick<Terms, 'pays'>): string | null {
  const isSimple =
    subscriptions.length === 0 && orders.length === 1 && orders[0]?.product_id === null && orders[0].conditions === undefined;
  return isSimple ? null : rulesText({ order_rules: orders, subscription_rules: subscriptions }, terms);
}

export const rulesText = (
  { order_rules: orders, subscription_rules: subscriptions }: Pick<OwnRates, 'order_rules' | 'subscription_rules'>,
  terms: Pick<Terms, 'pays'>,
): string => [...orderRuleTexts(orders, terms), ...subscriptions.map(subscriptionRuleText)].join('; ');
