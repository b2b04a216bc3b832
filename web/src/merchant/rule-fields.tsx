import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { hundredthsText } from '../parts/amounts.ts';
import { useFaultsBelow } from '../parts/form.tsx';
import type { OrderRule, SubscriptionRule } from './programs-api.ts';
import styles from './terms.module.css';

type RuleProps<Rule> = { readonly place: number; readonly from: Rule; readonly onRemove: () => void };

export function OrderRuleFields({ place, from, withProduct, onRemove }: RuleProps<OrderRule> & { readonly withProduct: boolean }) {
  const prefix = `order_rules.${place}`;
  return (
    <RuleFrame prefix={prefix} title={`Rule ${place + 1} for orders`} onRemove={onRemove}>
      {withProduct && <Cell name={`${prefix}.product_id`} label="Product" placeholder="all others" value={from.product_id} />}
      <Rate prefix={prefix} from={from} />
    </RuleFrame>
  );
}

export function SubscriptionRuleFields({ place, from, onRemove }: RuleProps<SubscriptionRule>) {
  const prefix = `subscription_rules.${place}`;
  return (
    <RuleFrame prefix={prefix} title={`Rule ${place + 1} for subscriptions`} onRemove={onRemove}>
      <Cell name={`${prefix}.product_id`} label="Product" placeholder="any" value={from.product_id} />
      <Cell name={`${prefix}.price_id`} label="Price" placeholder="any" value={from.price_id} />
      <Rate prefix={prefix} from={from} />
      <Cell name={`${prefix}.max_invoices`} label="At most, invoices" placeholder="no limit" value={from.max_invoices} numeric />
      <Cell name={`${prefix}.max_months`} label="At most, months" placeholder="no limit" value={from.max_months} numeric />
    </RuleFrame>
  );
}

type RuleFrameProps = {
  readonly prefix: string;
  readonly title: string;
  readonly onRemove: () => void;
  readonly children: React.ReactNode;
};

/** What the service finds wrong with a rule stands inside its frame. */
function RuleFrame({ prefix, title, onRemove, children }: RuleFrameProps) {
  const faults = useFaultsBelow(prefix);
  return (
    <fieldset className={styles.rule} data-faults={prefix} aria-invalid={faults.length > 0} tabIndex={-1}>
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
      {faults.length > 0 && (
        <p className={styles.faults} role="alert">
          {faults.map((fault) => `This rule ${fault}.`).join(' ')}
        </p>
      )}
    </fieldset>
  );
}

type CellProps = {
  readonly name: string;
  readonly label: string;
  readonly placeholder: string;
  readonly value: string | number | null;
  readonly numeric?: boolean;
};

const Cell = ({ name, label, placeholder, value, numeric = false }: CellProps) => (
  <TextInput name={name} label={label} placeholder={placeholder} defaultValue={value ?? ''} {...(numeric && { inputMode: 'numeric' })} />
);

/** Percent or dollars: one number, and what it counts. */
function Rate({ prefix, from }: { readonly prefix: string; readonly from: OrderRule }) {
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
        defaultValue={hundredthsText(from.basis_points ?? from.flat_cents ?? 0)}
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
