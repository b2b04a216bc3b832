import { never } from '../core/invariant.ts';
import { apiMessage } from '../messages/api-message.ts';
import type { Reader } from './explain-text.ts';
import type { RuleWhy } from './why.ts';

/** Where a rate is from, in parentheses; empty if all creators have the same rates. A creator does not see names of groups. */
export function explainRule(rule: RuleWhy | undefined, reader: Reader): string {
  if (rule === undefined) return '';
  return ` (${ruleLabel(rule, reader)})`;
}

function ruleLabel({ level, group_name: group }: RuleWhy, reader: Reader): string {
  switch (level) {
    case 'member':
      return apiMessage(reader === 'creator' ? 'rule.own_of_reader' : 'rule.own');
    case 'group':
      return reader === 'creator' || group === undefined ? apiMessage('rule.group_of_reader') : apiMessage('rule.group', { group });
    case 'product':
      return apiMessage('rule.product');
    case 'program':
      return apiMessage('rule.program');
    default:
      return never(level);
  }
}
