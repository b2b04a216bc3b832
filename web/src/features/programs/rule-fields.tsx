import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { formatHundredths } from '../../ui/amounts.ts';
import { useFieldErrorsBelow } from '../../ui/form.tsx';
import type { OrderRule, SubscriptionRule } from './programs-api.ts';
import styles from './terms.module.css';

type RuleProps<Rule> = { readonly index: number; readonly from: Rule; readonly onRemove: () => void };

export function OrderRuleFields({ index, from, withProduct, onRemove }: RuleProps<OrderRule> & { readonly withProduct: boolean }) {
  const prefix = `order_rules.${index}`;
  return (
    <RuleFrame prefix={prefix} title={`Rule ${index + 1} for orders`} onRemove={onRemove}>
      {withProduct && <RuleField name={`${prefix}.product_id`} label="Product" placeholder="all others" value={from.product_id} />}
      <RateFields prefix={prefix} from={from} />
    </RuleFrame>
  );
}

export function SubscriptionRuleFields({ index, from, onRemove }: RuleProps<SubscriptionRule>) {
  const prefix = `subscription_rules.${index}`;
  return (
    <RuleFrame prefix={prefix} title={`Rule ${index + 1} for subscriptions`} onRemove={onRemove}>
      <RuleField name={`${prefix}.product_id`} label="Product" placeholder="any" value={from.product_id} />
      <RuleField name={`${prefix}.price_id`} label="Price" placeholder="any" value={from.price_id} />
      <RateFields prefix={prefix} from={from} />
      <RuleField name={`${prefix}.max_invoices`} label="At most, invoices" placeholder="no limit" value={from.max_invoices} numeric />
      <RuleField name={`${prefix}.max_months`} label="At most, months" placeholder="no limit" value={from.max_months} numeric />
    </RuleFrame>
  );
}

type RuleFrameProps = {
  readonly prefix: string;
  readonly title: string;
  readonly onRemove: () => void;
  readonly children: React.ReactNode;
};

/** A group of fields that shows the validation errors of its rule. */
function RuleFrame({ prefix, title, onRemove, children }: RuleFrameProps) {
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
        aria-label={`Remove ${title.toLowerCase()}`}
      >
        Remove
      </Button>
      {errors.length > 0 && (
        <p className={styles.faults} role="alert">
          {errors.map((fault) => `This rule ${fault}.`).join(' ')}
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

const RuleField = ({ name, label, placeholder, value, numeric = false }: RuleFieldProps) => (
  <TextInput name={name} label={label} placeholder={placeholder} defaultValue={value ?? ''} {...(numeric && { inputMode: 'numeric' })} />
);

/** A rate in percent or dollars: one number and its unit. */
function RateFields({ prefix, from }: { readonly prefix: string; readonly from: OrderRule }) {
  const [unit, setUnit] = useState(from.basis_points === null ? 'flat' : 'share');
  return (
    <>
      <TextInput
        name={`${prefix}.rate`}
        label="How much"
        inputMode="decimal"
        required
        withAsterisk={false}
        className="number"
        defaultValue={formatHundredths(from.basis_points ?? from.flat_cents ?? 0)}
      />
      <NativeSelect
        name={`${prefix}.unit`}
        label="In"
        value={unit}
        onChange={(event) => setUnit(event.currentTarget.value)}
        data={[
          { value: 'share', label: 'percent' },
          { value: 'flat', label: 'US dollars' },
        ]}
      />
    </>
  );
}
