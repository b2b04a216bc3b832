import { SelectInput, TextInput } from '../../ui/inputs.tsx';
import type { RuleConditions } from '../../../../sdk/src/api-schema.ts';
import { TextArea } from '../../ui/text-area-field.tsx';
import { formatHundredths, parseHundredths } from '../../ui/format.ts';
import { fieldError, type Values } from '../../ui/form.tsx';
import styles from './terms.module.css';
import { t } from './messages.ts';

type ConditionFieldsProps = {
  readonly prefix: string;
  readonly conditions: RuleConditions | undefined;
  /** False if the program pays on the order total, which has no product. */
  readonly withProducts: boolean;
};

/** What must hold for a rule to apply. Closed while it has no conditions, because most rules have none. */
export const ConditionFields = ({ prefix, conditions, withProducts }: ConditionFieldsProps) => (
  <details className={styles.conditions} open={conditions !== undefined}>
    <summary>{t.rule_conditions.title}</summary>
    <div className={styles.conditionFields}>
      <SelectInput
        name={`${prefix}.customers`}
        label={t.rule_conditions.customers}
        defaultValue={conditions?.new_customers === undefined ? 'all' : 'new'}
        data={[
          { value: 'all', label: t.rule_conditions.all_customers },
          { value: 'new', label: t.rule_conditions.new_customers },
        ]}
      />
      <TextInput
        name={`${prefix}.least`}
        label={t.rule_conditions.least}
        placeholder={t.rule_conditions.no_minimum}
        inputMode="decimal"
        className="number"
        defaultValue={conditions?.min_order_cents === undefined ? '' : formatHundredths(conditions.min_order_cents)}
      />
      <TextInput
        name={`${prefix}.countries`}
        label={t.rule_conditions.countries}
        placeholder={t.rule_conditions.all_countries}
        defaultValue={conditions?.countries?.join(', ') ?? ''}
      />
      {withProducts && (
        <TextArea
          name={`${prefix}.products`}
          label={t.rule_conditions.products}
          placeholder={t.rule_conditions.products_example}
          rows={2}
          defaultValue={conditions?.products?.join('\n') ?? ''}
        />
      )}
    </div>
  </details>
);

/** In the form of the service, so that unchanged conditions are equal. Nothing if there is none. */
export function parseConditions(values: Values, prefix: string): { readonly conditions?: RuleConditions } {
  // Not trimmed: it is compared with the product IDs of the store's server.
  const products = distinct(values.text(`${prefix}.products`).split(/\r?\n/));
  const countries = distinct(
    values
      .text(`${prefix}.countries`)
      .toUpperCase()
      .split(/[\s,;]+/),
  ).toSorted();
  const least = values.text(`${prefix}.least`).trim();
  const conditions: RuleConditions = {
    ...(products.length > 0 && { products }),
    ...(values.text(`${prefix}.customers`) === 'new' && { new_customers: true }),
    ...(least !== '' && { min_order_cents: parseLeast(least, `${prefix}.least`) }),
    ...(countries.length > 0 && { countries }),
  };
  return Object.keys(conditions).length === 0 ? {} : { conditions };
}

const distinct = (texts: readonly string[]): string[] => [...new Set(texts.filter((text) => text !== ''))];

function parseLeast(typed: string, field: string): number {
  const cents = parseHundredths(typed);
  if (cents === null || cents === 0) throw fieldError(field, t.rule_conditions.must_be_an_amount);
  return cents;
}
