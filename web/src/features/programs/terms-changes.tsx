import type { Budget, Goal, OrderRule, OwnRates, SubscriptionRule, Terms, TierTerms } from '../../../../sdk/src/api-schema.ts';
import type { ProgramSettings } from './programs-api.ts';
import styles from './terms-changes.module.css';
import { attributionTexts, leadRuleText, orderRuleText, settingsTexts, subscriptionRuleText, tierTexts } from '../../ui/program-terms.ts';
import { rulesText, subjectIdOf } from './own-rates.ts';
import { budgetTexts } from './terms-budget.tsx';
import { goalTexts } from './terms-goals.tsx';
import { t } from './messages.ts';

/** The parts of terms that a draft version contains; the rest belongs to the program. */
export type TermsRules = {
  readonly pays: Terms['pays'];
  readonly order_rules: readonly OrderRule[];
  readonly subscription_rules: readonly SubscriptionRule[];
  readonly own_rates?: readonly OwnRates[];
  readonly leads: Terms['leads'];
  readonly tiers?: TierTerms;
  readonly budget?: Budget;
  readonly goals?: readonly Goal[];
  readonly codes: Terms['codes'];
  readonly returning: Terms['returning'];
};

export type TermsChange = { readonly kind: 'new' | 'gone' | 'changed'; readonly text: string };

/** What a new version changes, rule by rule. Two rules are the same when they apply to the same products. */
export function termsChanges(
  former: TermsRules,
  next: TermsRules,
  nameOf: (subjectId: string) => string = (id) => id,
): readonly TermsChange[] {
  const ownOf = (terms: TermsRules) =>
    rulesByKey(terms.own_rates ?? [], subjectIdOf, (own) => `${nameOf(subjectIdOf(own))}: ${rulesText(own, terms)}`);
  return [
    ...paysChanges(former.pays, next.pays),
    ...ruleChanges(
      rulesByKey(former.order_rules, orderRuleKey, (rule) => orderRuleText(rule, former)),
      rulesByKey(next.order_rules, orderRuleKey, (rule) => orderRuleText(rule, next)),
      t.terms_changes.one_time_orders_earn_nothing,
    ),
    ...ruleChanges(
      rulesByKey(former.subscription_rules, ruleKey, subscriptionRuleText),
      rulesByKey(next.subscription_rules, ruleKey, subscriptionRuleText),
      t.terms_changes.subscriptions_earn_nothing,
    ),
    ...orderOfConditions(former.order_rules, next.order_rules),
    ...ruleChanges(
      rulesByKey(former.leads, ({ kind }) => kind, leadRuleText),
      rulesByKey(next.leads, ({ kind }) => kind, leadRuleText),
      t.terms_changes.leads_earn_nothing,
    ),
    ...ruleChanges(ownOf(former), ownOf(next), t.own_rates.same_rates_for_all),
    ...ruleChanges(tiersOf(former), tiersOf(next), t.terms_tiers.no_tiers_any_more),
    ...ruleChanges(budgetOf(former), budgetOf(next), t.terms_budget.no_budget_any_more),
    ...ruleChanges(goalsOf(former), goalsOf(next), t.terms_goals.no_goals_any_more),
    ...attributionChanges(former, next),
  ];
}

const tiersOf = (terms: TermsRules): Rules => {
  const zone = terms.tiers ? ` (${terms.tiers.time_zone})` : '';
  const texts = terms.tiers ? tierTexts(terms.tiers, terms) : [];
  return new Map(texts.map((text, index) => [String(index), `${text}${zone}`]));
};

const goalsOf = ({ goals }: TermsRules): Rules => new Map(goalTexts(goals).map((text) => [text, text]));
const budgetOf = ({ budget }: TermsRules): Rules => new Map(budgetTexts(budget).map((text) => [text, text]));

/** A change of attribution window, hold or approval also creates a version. */
export function settingsChanges(former: ProgramSettings, next: ProgramSettings): readonly TermsChange[] {
  const before = settingsTexts(former);
  return settingsTexts(next).flatMap((words, index) =>
    words === before[index]
      ? []
      : [{ kind: 'changed', text: t.terms_changes.previously({ words, uncapitalize: uncapitalize(before[index] ?? '') }) } as const],
  );
}

const uncapitalize = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const ruleKey = ({ product_id: product, price_id: price }: SubscriptionRule): string => JSON.stringify([product, price]);

const orderRuleKey = ({ product_id: product, conditions }: OrderRule): string => JSON.stringify([product, conditions ?? null]);

/** The first rule whose conditions hold wins, so their order matters. */
function orderOfConditions(former: readonly OrderRule[], next: readonly OrderRule[]): readonly TermsChange[] {
  const [before, after] = [former, next].map((rules) => rules.filter(({ conditions }) => conditions !== undefined).map(orderRuleKey));
  const ofBoth = (keys: readonly string[] = []) => keys.filter((key) => before?.includes(key) === true && after?.includes(key) === true);
  const isSame = ofBoth(before).join() === ofBoth(after).join();
  return isSame ? [] : [{ kind: 'changed', text: t.terms_changes.order_of_conditions }];
}

function rulesByKey<Rule>(
  rules: readonly Rule[],
  keyOf: (rule: Rule) => string,
  textOf: (rule: Rule) => string,
): ReadonlyMap<string, string> {
  return new Map(rules.map((rule) => [keyOf(rule), textOf(rule)]));
}

function paysChanges(former: Terms['pays'], next: Terms['pays']): readonly TermsChange[] {
  if (former === next) return [];
  const words = { order: t.terms_changes.on_the_order_total, product: t.terms_changes.on_each_product } as const;
  return [{ kind: 'changed', text: t.terms_changes.one_time_orders_earn_previously({ next: words[next], former: words[former] }) }];
}

function attributionChanges(former: TermsRules, next: TermsRules): readonly TermsChange[] {
  const before = attributionTexts(former);
  const after = attributionTexts(next);
  const isOff = (off: boolean, text: string): readonly TermsChange[] => (off ? [{ kind: 'changed', text }] : []);
  return [
    ...after.filter((text) => !before.includes(text)).map((text) => ({ kind: 'new', text }) as const),
    ...before.filter((text) => !after.includes(text)).map((text) => ({ kind: 'gone', text }) as const),
    ...isOff(former.codes !== 'off' && next.codes === 'off', t.terms_changes.codes_off),
    ...isOff(former.returning !== null && next.returning === null, t.terms_changes.returning_off),
  ];
}

type Rules = ReadonlyMap<string, string>;

function ruleChanges(former: Rules, next: Rules, nothing: string): readonly TermsChange[] {
  const found: TermsChange[] = [];
  for (const [name, words] of next) {
    const before = former.get(name);
    if (before === undefined) found.push({ kind: 'new', text: words });
    else if (before !== words) found.push({ kind: 'changed', text: t.terms_changes.previously_2({ words, before }) });
  }
  for (const [name, words] of former) if (!next.has(name)) found.push({ kind: 'gone', text: words });
  if (former.size > 0 && next.size === 0) found.push({ kind: 'changed', text: nothing });
  return found;
}

type TermsChangesProps = {
  /** Null while the form is invalid. */
  readonly changes: readonly TermsChange[] | null;
  readonly version: number | null;
};

/** Previews what a new version changes. */
export function TermsChanges({ changes, version }: TermsChangesProps) {
  if (changes === null) return <p className={styles.noChanges}>{t.terms_changes.fill_in_the_missing_fields}</p>;
  if (changes.length === 0)
    return (
      <p className={styles.noChanges}>
        {version === null ? t.terms_changes.no_changes_a_new_version : t.terms_changes.no_changes_the_rules_are({ version })}
      </p>
    );
  return (
    <ul className={styles.difference}>
      {changes.map(({ kind, text }) => (
        <li key={kind + text}>
          <span className={styles.kind} data-is={kind}>
            {changeLabels[kind]}
          </span>
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}

const changeLabels = { new: t.terms_changes.new, gone: t.terms_changes.removed, changed: t.terms_changes.changed } as const;
