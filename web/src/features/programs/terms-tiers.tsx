import { useState } from 'react';
import type { Terms, TierTerms } from '../../../../sdk/src/api-schema.ts';
import { FieldRow, SelectField, TextField } from '../../ui/fields.tsx';
import { fieldError, type Values } from '../../ui/form.tsx';
import { formatHundredths, parseHundredths } from '../../ui/format.ts';
import { keptRules } from './own-rates.ts';
import { AddRuleButton, defaultOrderRule, indexes, noRate, parseRate, RateFields, RuleField, RuleFrame, useRows } from './rule-fields.tsx';
import styles from './terms.module.css';
import { t } from './messages.ts';

type Tier = TierTerms['tiers'][number];
type Measure = TierTerms['measure'];
type TiersGroupProps = { readonly former: Terms | null; readonly pays: Terms['pays']; readonly refresh: () => void };

const measures = ['approved_commissions', 'approved_revenue'] as const;
const thresholdDefault = { approved_commissions: 10, approved_revenue: 100_000 } as const;
const localZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
const thresholdMax = 1_000_000_000_000;

/** Rates for creators who have sold more. `refresh` compares the draft again after a field appeared or disappeared. */
export function TiersGroup({ former, pays, refresh }: TiersGroupProps) {
  const tiers = former?.tiers ?? null;
  const [measure, setMeasure] = useState<Measure | null>(tiers?.measure ?? null);
  return (
    <div className={styles.group} onInput={refresh}>
      <h3>{t.terms_tiers.title}</h3>
      <p className={styles.note}>{t.terms_tiers.precedence}</p>
      <SelectField
        name="tiers.measure"
        label={t.terms_tiers.reached_by}
        value={measure ?? 'off'}
        onChange={({ currentTarget }) => {
          setMeasure(measures.find((one) => one === currentTarget.value) ?? null);
          refresh();
        }}
        data={[
          { value: 'off', label: t.terms_tiers.no_tiers },
          { value: 'approved_commissions', label: t.terms_tiers.approved_sales },
          { value: 'approved_revenue', label: t.terms_tiers.approved_revenue },
        ]}
      />
      {measure !== null && <TierFields key={measure} {...{ measure, pays, refresh }} tiers={measure === tiers?.measure ? tiers : null} />}
    </div>
  );
}

type TierFieldsProps = {
  readonly measure: Measure;
  readonly tiers: TierTerms | null;
  readonly pays: Terms['pays'];
  readonly refresh: () => void;
};

function TierFields({ measure, tiers, pays, refresh }: TierFieldsProps) {
  const fresh: Tier = { threshold: thresholdDefault[measure], order_rules: [defaultOrderRule], subscription_rules: [] };
  const rows = useRows(tiers?.tiers ?? [fresh], refresh);
  return (
    <>
      <FieldRow>
        <SelectField
          name="tiers.period"
          label={t.terms_tiers.counted_in}
          defaultValue={tiers?.period ?? 'month'}
          data={[
            { value: 'month', label: t.terms_tiers.month },
            { value: 'days_30', label: t.terms_tiers.days_30 },
            { value: 'days_90', label: t.terms_tiers.days_90 },
          ]}
        />
        <TextField name="tiers.time_zone" label={t.terms_tiers.time_zone} defaultValue={tiers?.time_zone ?? localZone} />
      </FieldRow>
      {rows.rows.map(({ key, from }, index) => (
        <TierRule key={key} {...{ index, from, measure, pays }} onRemove={() => rows.remove(key)} />
      ))}
      <AddRuleButton label={t.terms_tiers.add} rows={rows} fresh={fresh} />
    </>
  );
}

type TierRuleProps = {
  readonly index: number;
  readonly from: Tier;
  readonly measure: Measure;
  readonly pays: Terms['pays'];
  readonly onRemove: () => void;
};

/** One rate for orders. More rules than one are kept as they are; the API changes them. */
function TierRule({ index, from, measure, pays, onRemove }: TierRuleProps) {
  const prefix = tierPrefix(index);
  const { order_rules, subscription_rules } = from;
  const kept = keptRules({ group_id: null, member_id: null, order_rules, subscription_rules }, { pays });
  const [first = defaultOrderRule] = order_rules;
  return (
    <RuleFrame prefix={prefix} title={t.terms_tiers.tier({ value: index + 1 })} onRemove={onRemove}>
      <RuleField
        name={`${prefix}.threshold`}
        label={measure === 'approved_revenue' ? t.terms_tiers.from_revenue : t.terms_tiers.from_sales}
        placeholder=""
        value={measure === 'approved_revenue' ? formatHundredths(from.threshold) : from.threshold}
        numeric
      />
      {kept === null ? (
        <RateFields prefix={prefix} from={first} />
      ) : (
        <p className={styles.note}>
          {kept}
          <input type="hidden" name={`${prefix}.kept`} value={JSON.stringify({ order_rules, subscription_rules })} />
        </p>
      )}
    </RuleFrame>
  );
}

const tierPrefix = (index: number): string => `tiers.tiers.${index}`;

export const countTiers = (form: HTMLFormElement | null): number =>
  form?.querySelectorAll('[name^="tiers.tiers."][name$=".threshold"]').length ?? 0;

export function parseTiers(values: Values, count: number): { readonly tiers?: TierTerms } {
  const measure = values.option<Measure | 'off'>('tiers.measure');
  if (measure === 'off') return {};
  return {
    tiers: {
      measure,
      period: values.option<TierTerms['period']>('tiers.period'),
      time_zone: values.text('tiers.time_zone'),
      tiers: indexes(count).map((index) => ({
        threshold: parseThreshold(values, index, measure),
        ...parseRules(values, tierPrefix(index)),
      })),
    },
  };
}

function parseThreshold(values: Values, index: number, measure: Measure): number {
  const name = `${tierPrefix(index)}.threshold`;
  const typed = values.text(name);
  const threshold = measure === 'approved_revenue' ? parseHundredths(typed) : /^\d{1,12}$/.test(typed) ? Number(typed) : null;
  if (threshold === null || threshold < 1 || threshold > thresholdMax) throw fieldError(name, t.terms_tiers.threshold_must_be);
  return threshold;
}

function parseRules(values: Values, prefix: string): Pick<Tier, 'order_rules' | 'subscription_rules'> {
  const kept = values.text(`${prefix}.kept`);
  if (kept === '') return { order_rules: [{ product_id: null, ...noRate, ...parseRate(values, prefix) }], subscription_rules: [] };
  const rules: Pick<Tier, 'order_rules' | 'subscription_rules'> = JSON.parse(kept);
  return rules;
}
