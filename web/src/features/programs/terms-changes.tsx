import type { OrderRule, SubscriptionRule, Terms } from '../../api/api-schema.ts';
import type { ProgramSettings } from './programs-api.ts';
import styles from './terms-changes.module.css';
import { attributionTexts, orderRuleText, settingsTexts, subscriptionRuleText } from '../../ui/program-terms.ts';
import { t } from './messages.ts';

/** The parts of terms that a draft version contains; the rest belongs to the program. */
export type TermsRules = {
  readonly pays: Terms['pays'];
  readonly order_rules: readonly OrderRule[];
  readonly subscription_rules: readonly SubscriptionRule[];
  readonly codes: Terms['codes'];
  readonly returning: Terms['returning'];
};

export type TermsChange = { readonly kind: 'new' | 'gone' | 'changed'; readonly text: string };

/** What a new version changes, rule by rule. Two rules are the same when they apply to the same products. */
export function termsChanges(former: TermsRules, next: TermsRules): readonly TermsChange[] {
  return [
    ...paysChanges(former.pays, next.pays),
    ...ruleChanges(
      rulesByKey(
        former.order_rules,
        ({ product_id: product }) => product ?? '',
        (rule) => orderRuleText(rule, former),
      ),
      rulesByKey(
        next.order_rules,
        ({ product_id: product }) => product ?? '',
        (rule) => orderRuleText(rule, next),
      ),
      t.terms_changes.one_time_orders_earn_nothing,
    ),
    ...ruleChanges(
      rulesByKey(former.subscription_rules, ruleKey, subscriptionRuleText),
      rulesByKey(next.subscription_rules, ruleKey, subscriptionRuleText),
      t.terms_changes.subscriptions_earn_nothing,
    ),
    ...attributionChanges(former, next),
  ];
}

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
