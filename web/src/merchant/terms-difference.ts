import type { OrderRule, Settings, SubscriptionRule, Terms } from './programs-api.ts';
import { orderRuleWords, settingsWords, subscriptionRuleWords } from './terms-words.ts';

/** Of terms, what a draft of a version says: the rest is the program's own. */
export type RulesOfTerms = {
  readonly pays: Terms['pays'];
  readonly order_rules: readonly OrderRule[];
  readonly subscription_rules: readonly SubscriptionRule[];
};

export type Difference = { readonly is: 'new' | 'gone' | 'changed'; readonly words: string };

/** What a new version changes, rule by rule: two rules are the same rule where they fit the same things. */
export function differenceOf(former: RulesOfTerms, next: RulesOfTerms): readonly Difference[] {
  return [
    ...paysDifference(former.pays, next.pays),
    ...rulesDifference(
      namedRules(
        former.order_rules,
        ({ product_id: product }) => product ?? '',
        (rule) => orderRuleWords(rule, former),
      ),
      namedRules(
        next.order_rules,
        ({ product_id: product }) => product ?? '',
        (rule) => orderRuleWords(rule, next),
      ),
      'One-time orders earn nothing',
    ),
    ...rulesDifference(
      namedRules(former.subscription_rules, fitOf, subscriptionRuleWords),
      namedRules(next.subscription_rules, fitOf, subscriptionRuleWords),
      'Subscriptions earn nothing',
    ),
  ];
}

/** Window, hold and approval: another one makes a version too. */
export function settingsDifference(former: Settings, next: Settings): readonly Difference[] {
  const before = settingsWords(former);
  return settingsWords(next).flatMap((words, place) =>
    words === before[place] ? [] : [{ is: 'changed', words: `${words}; until now ${uncapitalised(before[place] ?? '')}` } as const],
  );
}

const uncapitalised = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const fitOf = ({ product_id: product, price_id: price }: SubscriptionRule): string => JSON.stringify([product, price]);

const namedRules = <Rule>(
  rules: readonly Rule[],
  nameOf: (rule: Rule) => string,
  wordsOf: (rule: Rule) => string,
): ReadonlyMap<string, string> => new Map(rules.map((rule) => [nameOf(rule), wordsOf(rule)]));

function paysDifference(former: Terms['pays'], next: Terms['pays']): readonly Difference[] {
  if (former === next) return [];
  const words = { order: 'by the whole order', product: 'by each product in it' } as const;
  return [{ is: 'changed', words: `One-time orders are paid ${words[next]}, no longer ${words[former]}` }];
}

type Rules = ReadonlyMap<string, string>;

function rulesDifference(former: Rules, next: Rules, nothing: string): readonly Difference[] {
  const found: Difference[] = [];
  for (const [name, words] of next) {
    const before = former.get(name);
    if (before === undefined) found.push({ is: 'new', words });
    else if (before !== words) found.push({ is: 'changed', words: `${words}, no longer ${before}` });
  }
  for (const [name, words] of former) if (!next.has(name)) found.push({ is: 'gone', words });
  if (former.size > 0 && next.size === 0) found.push({ is: 'changed', words: nothing });
  return found;
}
