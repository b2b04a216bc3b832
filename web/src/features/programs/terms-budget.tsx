import type { Budget, Terms } from '../../../../sdk/src/api-schema.ts';
import type { Cents } from '../../../../sdk/src/exact-json.ts';
import { FieldRow, TextField } from '../../ui/fields.tsx';
import { fieldError, type Values } from '../../ui/form.tsx';
import { formatHundredths, formatUsd, parseHundredths } from '../../ui/format.ts';
import styles from './terms.module.css';
import { t } from './messages.ts';

type Limit = keyof Budget;

const limits: ReadonlyArray<readonly [Limit, string]> = [
  ['program_month_cents', t.terms_budget.program_month],
  ['program_total_cents', t.terms_budget.program_total],
  ['creator_month_cents', t.terms_budget.creator_month],
  ['creator_total_cents', t.terms_budget.creator_total],
];
const limitCentsMax = 1_000_000_000_000;

const limitText = (limit: Cents | null): string => (limit === null ? '' : formatHundredths(limit));

type BudgetFieldsProps = { readonly former: Terms | null; readonly refresh: () => void };

/** The most that the program and each creator may earn; an empty field is no limit. */
export const BudgetFields = ({ former, refresh }: BudgetFieldsProps) => (
  <div className={styles.group} onInput={refresh}>
    <h3>{t.terms_budget.title}</h3>
    <p className={styles.note}>{t.terms_budget.earns_nothing}</p>
    {[limits.slice(0, 2), limits.slice(2)].map((row, index) => (
      <FieldRow key={index}>
        {row.map(([limit, label]) => (
          <TextField
            key={limit}
            name={`budget.${limit}`}
            label={label}
            placeholder={t.terms_budget.no_limit}
            inputMode="decimal"
            optional
            defaultValue={limitText(former?.budget?.[limit] ?? null)}
          />
        ))}
      </FieldRow>
    ))}
  </div>
);

export function parseBudget(values: Values): { readonly budget?: Budget } {
  const limit = (name: Limit): number | null => {
    const typed = values.text(`budget.${name}`);
    if (typed === '') return null;
    const cents = parseHundredths(typed);
    if (cents === null || cents > limitCentsMax) throw fieldError(`budget.${name}`, t.terms_budget.must_be_an_amount);
    return cents;
  };
  const budget: Budget = {
    program_month_cents: limit('program_month_cents'),
    program_total_cents: limit('program_total_cents'),
    creator_month_cents: limit('creator_month_cents'),
    creator_total_cents: limit('creator_total_cents'),
  };
  return Object.values(budget).every((amount) => amount === null) ? {} : { budget };
}

/** Each limit as a sentence; none without a budget. */
export const budgetTexts = (budget: Budget | undefined): readonly string[] =>
  limits.flatMap(([limit]) => {
    const amount = budget?.[limit] ?? null;
    return amount === null ? [] : [t.terms_budget.limit({ limit, amount: formatUsd(amount) })];
  });
