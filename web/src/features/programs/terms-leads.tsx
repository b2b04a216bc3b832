import type { LeadRule, Terms } from '../../../../sdk/src/api-schema.ts';
import { formatHundredths, parseHundredths } from '../../ui/format.ts';
import { fieldError, type Values } from '../../ui/form.tsx';
import { AddRuleButton, indexes, RuleField, RuleFrame, useRows, type RuleProps } from './rule-fields.tsx';
import styles from './terms.module.css';
import { t } from './messages.ts';

const leadRulesMax = 20;
/** The service's own limits. It reports them in cents, which are not what was typed. */
const flatCentsMax = 100_000_000;
const perMonthMax = 1_000_000;
const countName = 'leads.count';
const defaultLeadRule: LeadRule = { kind: 'sign_up', flat_cents: 200, max_per_month: null };

/** What leads earn by their kind. `refresh` compares the draft again after a rule was added or removed. */
export function LeadFields({ former, refresh }: { readonly former: Terms | null; readonly refresh: () => void }) {
  const leads = useRows(former?.leads ?? [], refresh);
  return (
    <div className={styles.group} onInput={refresh}>
      <h3>{t.terms_leads.title}</h3>
      <p className={styles.note}>{t.terms_leads.hint}</p>
      <input type="hidden" name={countName} value={leads.rows.length} />
      {leads.rows.map(({ key, from }, index) => (
        <LeadRuleFields key={key} index={index} from={from} onRemove={() => leads.remove(key)} />
      ))}
      {leads.rows.length === 0 && <p className={styles.note}>{t.terms_leads.nothing}</p>}
      {leads.rows.length < leadRulesMax && <AddRuleButton label={t.terms_leads.add} rows={leads} fresh={defaultLeadRule} />}
    </div>
  );
}

function LeadRuleFields({ index, from, onRemove }: RuleProps<LeadRule>) {
  const prefix = `leads.${index}`;
  return (
    <RuleFrame prefix={prefix} title={t.terms_leads.rule({ value: index + 1 })} onRemove={onRemove}>
      <RuleField name={`${prefix}.kind`} label={t.terms_leads.kind} placeholder={t.terms_leads.kind_example} value={from.kind} />
      <RuleField
        name={`${prefix}.amount`}
        label={t.terms_leads.amount}
        placeholder={t.terms_leads.amount_example}
        value={formatHundredths(from.flat_cents)}
      />
      <RuleField
        name={`${prefix}.max_per_month`}
        label={t.terms_leads.max_per_month}
        placeholder={t.terms_form.no_limit}
        value={from.max_per_month}
        numeric
      />
    </RuleFrame>
  );
}

export const parseLeads = (values: Values): readonly LeadRule[] =>
  indexes(Number(values.text(countName))).map((index) => {
    const prefix = `leads.${index}`;
    // Not trimmed or changed: it is compared with what the store's server reports.
    const kind = values.raw(`${prefix}.kind`);
    const cents = parseHundredths(values.text(`${prefix}.amount`));
    if (kind === '') throw fieldError(`${prefix}.kind`, t.terms_leads.enter_a_kind);
    if (cents === null || cents > flatCentsMax) throw fieldError(`${prefix}.amount`, t.terms_leads.amount_must_be({ flatCentsMax }));
    return { kind, flat_cents: cents, max_per_month: parseLimit(values, `${prefix}.max_per_month`) };
  });

function parseLimit(values: Values, name: string): number | null {
  const typed = values.text(name);
  if (typed === '') return null;
  if (!/^[1-9]\d{0,6}$/.test(typed) || Number(typed) > perMonthMax) throw fieldError(name, t.terms_leads.limit_must_be({ perMonthMax }));
  return Number(typed);
}
