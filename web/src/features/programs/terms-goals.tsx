import type { Goal, Terms } from '../../../../sdk/src/api-schema.ts';
import { SelectField } from '../../ui/fields.tsx';
import { fieldError, type Values } from '../../ui/form.tsx';
import { formatHundredths, formatUsd, parseHundredths } from '../../ui/format.ts';
import { AddRuleButton, indexes, RuleField, RuleFrame, useRows, type RuleProps } from './rule-fields.tsx';
import styles from './terms.module.css';
import { t } from './messages.ts';

const goalsMax = 10;
/** The service's own limits. It reports them in cents, which are not what was typed. */
const amountCentsMax = 500_000;
const ordersMax = 1_000;
const countName = 'goals.count';
const defaultGoal: Goal = { orders: 1, period: 'total', amount_cents: 1_000 };

/** Bonuses for reaching a number of approved orders. */
export function GoalFields({ former, refresh }: { readonly former: Terms | null; readonly refresh: () => void }) {
  const goals = useRows(former?.goals ?? [], refresh);
  return (
    <div className={styles.group} onInput={refresh}>
      <h3>{t.terms_goals.title}</h3>
      <p className={styles.note}>{t.terms_goals.hint}</p>
      <input type="hidden" name={countName} value={goals.rows.length} />
      {goals.rows.map(({ key, from }, index) => (
        <OneGoal key={key} index={index} from={from} onRemove={() => goals.remove(key)} />
      ))}
      {goals.rows.length < goalsMax && <AddRuleButton label={t.terms_goals.add} rows={goals} fresh={defaultGoal} />}
    </div>
  );
}

function OneGoal({ index, from, onRemove }: RuleProps<Goal>) {
  const prefix = `goals.${index}`;
  return (
    <RuleFrame prefix={prefix} title={t.terms_goals.goal({ number: index + 1 })} onRemove={onRemove}>
      <RuleField name={`${prefix}.orders`} label={t.terms_goals.orders} placeholder="10" value={from.orders} numeric />
      <SelectField
        name={`${prefix}.period`}
        label={t.terms_goals.counted}
        defaultValue={from.period}
        data={[
          { value: 'month', label: t.terms_goals.in_a_month },
          { value: 'total', label: t.terms_goals.in_all },
        ]}
      />
      <RuleField
        name={`${prefix}.amount_cents`}
        label={t.terms_goals.amount}
        placeholder="10.00"
        value={formatHundredths(from.amount_cents)}
      />
    </RuleFrame>
  );
}

export function parseGoals(values: Values): { readonly goals?: readonly Goal[] } {
  const goals = indexes(Number(values.text(countName))).map((index): Goal => {
    const prefix = `goals.${index}`;
    const orders = values.text(`${prefix}.orders`);
    const cents = parseHundredths(values.text(`${prefix}.amount_cents`));
    if (!/^[1-9]\d{0,3}$/.test(orders) || Number(orders) > ordersMax)
      throw fieldError(`${prefix}.orders`, t.terms_goals.orders_must_be({ ordersMax }));
    if (cents === null || cents === 0 || cents > amountCentsMax)
      throw fieldError(`${prefix}.amount_cents`, t.terms_goals.amount_must_be({ most: formatUsd(amountCentsMax) }));
    return { orders: Number(orders), period: values.option<Goal['period']>(`${prefix}.period`), amount_cents: cents };
  });
  return goals.length === 0 ? {} : { goals };
}

/** Each goal as a sentence. */
export const goalTexts = (goals: readonly Goal[] | undefined): readonly string[] =>
  (goals ?? []).map(({ orders, period, amount_cents: cents }) => t.terms_goals.text({ orders, period, amount: formatUsd(cents) }));
