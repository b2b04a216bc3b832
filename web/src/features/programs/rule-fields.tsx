import { Button } from '../../ui/button.tsx';
import { SelectInput, TextInput } from '../../ui/inputs.tsx';
import { useState } from 'react';
import type { OrderRule } from '../../../../sdk/src/api-schema.ts';
import { formatHundredths, parseHundredths } from '../../ui/format.ts';
import { fieldError, useFieldErrorsBelow, type Values } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import styles from './terms.module.css';
import { t } from './messages.ts';

export const defaultOrderRule: OrderRule = { product_id: null, basis_points: 1_000, flat_cents: null };
export type Rows<Rule> = {
  readonly rows: ReadonlyArray<{ readonly key: number; readonly from: Rule }>;
  readonly add: (from: Rule) => void;
  readonly remove: (key: number) => void;
};

export function useRows<Rule>(first: readonly Rule[], changed: () => void): Rows<Rule> {
  const [rows, setRows] = useState(() => first.map((from, key) => ({ key, from })));
  return {
    rows,
    add: (from) => {
      setRows((former) => [...former, { key: (former.at(-1)?.key ?? -1) + 1, from }]);
      changed();
    },
    remove: (key) => {
      setRows((former) => former.filter((row) => row.key !== key));
      changed();
    },
  };
}

const rulesMax = 500;

export function AddRuleButton<Rule>({ label, rows, fresh }: { readonly label: string; readonly rows: Rows<Rule>; readonly fresh: Rule }) {
  if (rows.rows.length >= rulesMax) return null;
  return (
    <div>
      <Button variant="default" size="xs" leftSection={<Icon name="plus" size={14} />} onClick={() => rows.add(fresh)}>
        {label}
      </Button>
    </div>
  );
}

export type RuleProps<Rule> = { readonly index: number; readonly from: Rule; readonly onRemove: () => void };

type RuleFrameProps = {
  readonly prefix: string;
  readonly title: string;
  readonly onRemove: () => void;
  readonly children: React.ReactNode;
};

/** A group of fields that shows the validation errors of its rule. */
export function RuleFrame({ prefix, title, onRemove, children }: RuleFrameProps) {
  const errors = useFieldErrorsBelow(prefix);
  return (
    <fieldset className={styles.rule} data-errors-for={prefix} aria-invalid={errors.length > 0} tabIndex={-1}>
      <legend>{title}</legend>
      {children}
      <Button
        className={styles.remove ?? ''}
        variant="subtle"
        color="red"
        size="compact-xs"
        onClick={onRemove}
        aria-label={t.terms_form.remove({ title: title.toLowerCase() })}
      >
        {t.terms_form.remove_2}
      </Button>
      {errors.length > 0 && (
        <p className={styles.errors} role="alert">
          {errors.map((error) => t.terms_form.this_rule({ error })).join(' ')}
        </p>
      )}
    </fieldset>
  );
}

type RuleFieldProps = {
  readonly name: string;
  readonly label: string;
  readonly placeholder: string;
  readonly value: string | number | null;
  readonly numeric?: boolean;
};

export const RuleField = ({ name, label, placeholder, value, numeric = false }: RuleFieldProps) => (
  <TextInput name={name} label={label} placeholder={placeholder} defaultValue={value ?? ''} {...(numeric && { inputMode: 'numeric' })} />
);

/** A rate in percent or dollars: one number and its unit. */
export function RateFields({ prefix, from }: { readonly prefix: string; readonly from: OrderRule }) {
  const [unit, setUnit] = useState(from.basis_points === null ? 'flat' : 'share');
  return (
    <>
      <TextInput
        name={`${prefix}.rate`}
        label={t.terms_form.commission}
        inputMode="decimal"
        required
        className="number"
        defaultValue={formatHundredths(from.basis_points ?? from.flat_cents ?? 0)}
      />
      <SelectInput
        name={`${prefix}.unit`}
        label={t.terms_form.type}
        value={unit}
        onChange={(event) => setUnit(event.currentTarget.value)}
        data={[
          { value: 'share', label: t.terms_form.percent },
          { value: 'flat', label: t.terms_form.us_dollars },
        ]}
      />
    </>
  );
}

export const noRate = { basis_points: null, flat_cents: null };

export const indexes = (count: number) => Array.from({ length: count }, (_, index) => index);

export function parseRate(values: Values, prefix: string) {
  const number = parseHundredths(values.text(`${prefix}.rate`));
  const isFlat = values.text(`${prefix}.unit`) === 'flat';
  if (number === null) throw fieldError(`${prefix}.rate`, t.terms_form.must_be_a_number_such);
  if (!isFlat && number > rateMaxBasisPoints) throw fieldError(`${prefix}.rate`, t.terms_form.must_be_at_most_100);
  if (isFlat && number > flatCentsMax) throw fieldError(`${prefix}.rate`, t.terms_form.must_be_at_most({ flatCentsMax }));
  return isFlat ? { flat_cents: number } : { basis_points: number };
}

/** The service's own limits. It reports them in basis points and cents, which are not what was typed, so they are checked here. */
const rateMaxBasisPoints = 10_000;
const flatCentsMax = 100_000_000;
