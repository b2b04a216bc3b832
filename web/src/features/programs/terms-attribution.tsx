import { useState } from 'react';
import type { Terms } from '../../../../sdk/src/api-schema.ts';
import { FieldRow, SelectField, TextField } from '../../ui/fields.tsx';
import { fieldError, type Values } from '../../ui/form.tsx';
import { LeadFields, parseLeads } from './terms-leads.tsx';
import styles from './terms.module.css';
import { t } from './messages.ts';

type Codes = Terms['codes'];
type NewClick = NonNullable<Terms['returning']>['new_click'];

const codesTexts: Readonly<Record<Codes, readonly [label: string, means: string]>> = {
  off: [t.terms_attribution.codes_off, t.terms_attribution.codes_off_means],
  when_no_click: [t.terms_attribution.codes_when_no_click, t.terms_attribution.codes_when_no_click_means],
  before_click: [t.terms_attribution.codes_before_click, t.terms_attribution.codes_before_click_means],
};
const codesModes = ['off', 'when_no_click', 'before_click'] as const;
const daysDefault = 90;
const daysMax = 3_650;
const ordersMax = 10_000;

type AttributionProps = { readonly former: Terms | null; readonly refresh: () => void };

/** What earns besides clicks, and what leads earn. `refresh` compares the draft again after a field appeared or disappeared. */
export const AttributionFields = (props: AttributionProps) => (
  <>
    <PartnerFields {...props} />
    <LeadFields {...props} />
  </>
);

function PartnerFields({ former, refresh }: AttributionProps) {
  const [codes, setCodes] = useState<Codes>(former?.codes ?? 'off');
  const [isReturning, setReturning] = useState(former !== null && former.returning !== null);
  return (
    <div className={styles.group} onInput={refresh}>
      <h3>{t.terms_attribution.title}</h3>
      <SelectField
        name="codes"
        label={t.terms_attribution.discount_codes}
        description={t.terms_attribution.discount_codes_hint}
        value={codes}
        onChange={({ currentTarget }) => setCodes(codesModes.find((mode) => mode === currentTarget.value) ?? 'off')}
        data={codesModes.map((value) => ({ value, label: codesTexts[value][0] }))}
      />
      <p className={styles.note}>{codesTexts[codes][1]}</p>
      <SelectField
        name="returning"
        label={t.terms_attribution.returning_customers}
        description={t.terms_attribution.returning_customers_hint}
        value={isReturning ? 'on' : 'off'}
        onChange={({ currentTarget }) => {
          setReturning(currentTarget.value === 'on');
          refresh();
        }}
        data={[
          { value: 'off', label: t.terms_attribution.returning_off },
          { value: 'on', label: t.terms_attribution.returning_on },
        ]}
      />
      {isReturning && <ReturningFields returning={former?.returning ?? null} />}
    </div>
  );
}

function ReturningFields({ returning }: Pick<Terms, 'returning'>) {
  return (
    <>
      <FieldRow>
        <TextField
          name="returning.days"
          label={t.terms_attribution.days}
          inputMode="numeric"
          defaultValue={returning?.days ?? daysDefault}
        />
        <TextField
          name="returning.orders"
          label={t.terms_attribution.orders}
          placeholder={t.terms_attribution.no_limit}
          inputMode="numeric"
          optional
          defaultValue={returning?.orders ?? ''}
        />
      </FieldRow>
      <SelectField
        name="returning.new_click"
        label={t.terms_attribution.new_click}
        defaultValue={returning?.new_click ?? 'last_click'}
        data={[
          { value: 'last_click', label: t.terms_attribution.last_click },
          { value: 'first_partner', label: t.terms_attribution.first_partner },
        ]}
      />
    </>
  );
}

type Attribution = Pick<Terms, 'codes' | 'leads'> & { readonly returning?: NonNullable<Terms['returning']> };

export function parseAttribution(values: Values): Attribution {
  const codes = values.option<Codes>('codes');
  const leads = [...parseLeads(values)];
  if (values.text('returning') !== 'on') return { codes, leads };
  const days = wholeIn(values, { name: 'returning.days', most: daysMax, message: t.terms_attribution.days_must_be });
  const orders = { name: 'returning.orders', most: ordersMax, message: t.terms_attribution.orders_must_be };
  return {
    codes,
    leads,
    returning: {
      days,
      orders: values.text(orders.name) === '' ? null : wholeIn(values, orders),
      new_click: values.option<NewClick>('returning.new_click'),
    },
  };
}

type WholeField = { readonly name: string; readonly most: number; readonly message: string };

function wholeIn(values: Values, { name, most, message }: WholeField): number {
  const typed = values.text(name);
  if (!/^[1-9]\d{0,4}$/.test(typed) || Number(typed) > most) throw fieldError(name, message);
  return Number(typed);
}
