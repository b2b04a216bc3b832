import { Button, Radio, Title, NativeSelect, TextInput } from '@mantine/core';
import { useRef, useState, type ReactNode } from 'react';
import type { Terms, OrderRule, OwnRates, SubscriptionRule } from '../../api/api-schema.ts';
import { formatHundredths, parseHundredths } from '../../ui/format.ts';
import { CheckboxGroup, FieldRow, SelectField, TextField } from '../../ui/fields.tsx';
import { Form, readValues, type Values, useFieldErrorsBelow, fieldError } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { localInputToUtc } from '../../ui/time.tsx';
import { keptRules, subjectIdOf, subjectName, useRateSubjects, type RateSubjects } from './own-rates.ts';
import { Simulator } from './simulator.tsx';
import { AttributionFields, parseAttribution } from './terms-attribution.tsx';
import { TermsChanges, termsChanges, type TermsRules } from './terms-changes.tsx';
import styles from './terms.module.css';
import { t } from './messages.ts';

type TermsFormProps = {
  readonly store: string;
  readonly program: string;
  /** The initial rules, from the last version. */
  readonly former: Terms | null;
  readonly send: (body: ReturnType<typeof parseTerms>, key: string) => Promise<Terms>;
  readonly done: (terms: Terms) => unknown;
  readonly beside: ReactNode;
};

const rulesMax = 500;

/** The rules of a new version. A row's index is the index the service uses in its errors. */
export function TermsForm({ store, program, former, send, done, beside }: TermsFormProps) {
  const [pays, setPays] = useState<'order' | 'product'>(former?.pays ?? 'order');
  const top = useRef<HTMLDivElement>(null);
  const read = () => readForm(top.current?.closest('form') ?? null);
  const draft = useDraft(read, former);
  const orders = useRows(former === null ? [defaultOrderRule] : former.order_rules, draft.refresh);
  const subscriptions = useRows(former?.subscription_rules ?? [], draft.refresh);
  const own = useRows(former?.own_rates ?? [], draft.refresh);
  const subjects = useRateSubjects(store, program);
  const counts = { orders: orders.rows.length, subscriptions: subscriptions.rows.length, own: own.rows.length };
  return (
    <Form
      send={(values: Values, key) => send(parseTerms(values, counts), key)}
      done={done}
      submit={t.terms_form.add_version}
      warnsOnLeave
      beside={beside}
    >
      <div className={styles.group} ref={top} onInput={draft.refresh}>
        <Title order={3}>{t.terms_form.orders}</Title>
        <SelectField
          name="pays"
          label={t.terms_form.commission_on_one_time_orders}
          value={pays}
          onChange={(event) => setPays(event.currentTarget.value === 'product' ? 'product' : 'order')}
          data={[
            { value: 'order', label: t.terms_form.on_the_order_total },
            { value: 'product', label: t.terms_form.on_each_product },
          ]}
        />
        {orders.rows.map(({ key, from }, index) => (
          <OrderRuleFields key={key} index={index} from={from} withProduct={pays === 'product'} onRemove={() => orders.remove(key)} />
        ))}
        {orders.rows.length === 0 && <p className={styles.note}>{t.terms_form.one_time_orders_earn_nothing}</p>}
        {(pays === 'product' || orders.rows.length === 0) && (
          <AddRuleButton label={t.terms_form.add_order_rule} rows={orders} fresh={defaultOrderRule} />
        )}
      </div>
      <div className={styles.group} onInput={draft.refresh}>
        <Title order={3}>{t.terms_form.subscriptions}</Title>
        {subscriptions.rows.map(({ key, from }, index) => (
          <SubscriptionRuleFields key={key} index={index} from={from} onRemove={() => subscriptions.remove(key)} />
        ))}
        {subscriptions.rows.length === 0 && <p className={styles.note}>{t.terms_form.subscriptions_earn_nothing}</p>}
        <AddRuleButton label={t.terms_form.add_subscription_rule} rows={subscriptions} fresh={defaultSubscriptionRule} />
      </div>
      <OwnRatesGroup own={own} subjects={subjects} pays={pays} refresh={draft.refresh} />
      <AttributionFields former={former} refresh={draft.refresh} />
      <EffectiveFrom />
      <div className={styles.group}>
        <Title order={3}>{t.terms_form.simulate_before_saving}</Title>
        <Simulator store={store} program={program} draft={read} withProducts={pays === 'product'} />
      </div>
      {former !== null && <ChangesGroup former={former} rules={draft.rules} subjects={subjects} />}
    </Form>
  );
}

type ChangesGroupProps = { readonly former: Terms; readonly rules: TermsRules | null; readonly subjects: RateSubjects };

const ChangesGroup = ({ former, rules, subjects }: ChangesGroupProps) => (
  <div className={styles.group}>
    <Title order={3}>{t.terms_form.changes_from_version({ version: former.version })}</Title>
    <TermsChanges changes={rules && termsChanges(former, rules, (id) => subjectName(id, subjects))} version={former.version} />
  </div>
);

function EffectiveFrom() {
  const [starts, setStarts] = useState<'now' | 'later'>('now');
  return (
    <div className={styles.group}>
      <Title order={3}>{t.terms_form.effective_date}</Title>
      <CheckboxGroup label={t.terms_form.effective_from}>
        <Radio name="starts" value="now" label={t.terms_form.immediately} checked={starts === 'now'} onChange={() => setStarts('now')} />
        <Radio
          name="starts"
          value="later"
          label={t.terms_form.a_specific_date}
          checked={starts === 'later'}
          onChange={() => setStarts('later')}
        />
      </CheckboxGroup>
      {starts === 'later' && (
        <FieldRow>
          <TextField
            name="effective_from"
            label={t.terms_form.day_and_time}
            description={t.terms_form.in_your_time_zone}
            type="datetime-local"
          />
        </FieldRow>
      )}
    </div>
  );
}

type Draft = { readonly rules: TermsRules | null; readonly refresh: () => void };

/** The rules as typed; null while the form is invalid. */
function useDraft(read: () => ReturnType<typeof parseTerms>, former: TermsRules | null): Draft {
  const [rules, setRules] = useState(former);
  // Added and removed rows are in the DOM only after the next render.
  return { rules, refresh: () => void setTimeout(() => setRules(parseRulesOrNull(read))) };
}

/** Reads the form. Each rule has one rate field, so counting those counts the rules. */
function readForm(form: HTMLFormElement | null) {
  const count = (rules: string, field = 'rate') => form?.querySelectorAll(`[name^="${rules}."][name$=".${field}"]`).length ?? 0;
  const counts = { orders: count('order_rules'), subscriptions: count('subscription_rules'), own: count('own_rates', 'subject') };
  return parseTerms(readValues(new FormData(form ?? undefined)), counts);
}

function parseRulesOrNull(read: () => ReturnType<typeof parseTerms>): TermsRules | null {
  try {
    return termsRules(read());
  } catch {
    return null;
  }
}

const defaultOrderRule = { product_id: null, basis_points: 1_000, flat_cents: null } as const;
const defaultSubscriptionRule = {
  product_id: null,
  price_id: null,
  basis_points: 1_000,
  flat_cents: null,
  max_invoices: null,
  max_months: 12,
} as const;

const defaultOwnRates: OwnRates = { group_id: null, member_id: null, order_rules: [defaultOrderRule], subscription_rules: [] };

type Rows<Rule> = {
  readonly rows: ReadonlyArray<{ readonly key: number; readonly from: Rule }>;
  readonly add: (from: Rule) => void;
  readonly remove: (key: number) => void;
};

function useRows<Rule>(first: readonly Rule[], changed: () => void): Rows<Rule> {
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

function AddRuleButton<Rule>({ label, rows, fresh }: { readonly label: string; readonly rows: Rows<Rule>; readonly fresh: Rule }) {
  if (rows.rows.length >= rulesMax) return null;
  return (
    <div>
      <Button variant="default" size="xs" leftSection={<Icon name="plus" size={14} />} onClick={() => rows.add(fresh)}>
        {label}
      </Button>
    </div>
  );
}

type RuleProps<Rule> = { readonly index: number; readonly from: Rule; readonly onRemove: () => void };

function OrderRuleFields({ index, from, withProduct, onRemove }: RuleProps<OrderRule> & { readonly withProduct: boolean }) {
  const prefix = `order_rules.${index}`;
  return (
    <RuleFrame prefix={prefix} title={t.terms_form.order_rule({ value: index + 1 })} onRemove={onRemove}>
      {withProduct && (
        <RuleField
          name={`${prefix}.product_id`}
          label={t.terms_form.product}
          placeholder={t.terms_form.all_others}
          value={from.product_id}
        />
      )}
      <RateFields prefix={prefix} from={from} />
    </RuleFrame>
  );
}

function SubscriptionRuleFields({ index, from, onRemove }: RuleProps<SubscriptionRule>) {
  const prefix = `subscription_rules.${index}`;
  return (
    <RuleFrame prefix={prefix} title={t.terms_form.subscription_rule({ value: index + 1 })} onRemove={onRemove}>
      <RuleField name={`${prefix}.product_id`} label={t.terms_form.product} placeholder={t.terms_form.any} value={from.product_id} />
      <RuleField name={`${prefix}.price_id`} label={t.terms_form.price} placeholder={t.terms_form.any} value={from.price_id} />
      <RateFields prefix={prefix} from={from} />
      <RuleField
        name={`${prefix}.max_invoices`}
        label={t.terms_form.maximum_invoices}
        placeholder={t.terms_form.no_limit}
        value={from.max_invoices}
        numeric
      />
      <RuleField
        name={`${prefix}.max_months`}
        label={t.terms_form.maximum_months}
        placeholder={t.terms_form.no_limit}
        value={from.max_months}
        numeric
      />
    </RuleFrame>
  );
}

type OwnRatesGroupProps = {
  readonly own: Rows<OwnRates>;
  readonly subjects: RateSubjects;
  readonly pays: Terms['pays'];
  readonly refresh: () => void;
};

const OwnRatesGroup = ({ own, subjects, pays, refresh }: OwnRatesGroupProps) => (
  <div className={styles.group} onInput={refresh}>
    <Title order={3}>{t.own_rates.title}</Title>
    <p className={styles.note}>{t.own_rates.precedence}</p>
    {own.rows.map(({ key, from }, index) => (
      <OwnRatesFields key={key} index={index} from={from} subjects={subjects} pays={pays} onRemove={() => own.remove(key)} />
    ))}
    {subjects.groups.length + subjects.members.length > 0 && <AddRuleButton label={t.own_rates.add} rows={own} fresh={defaultOwnRates} />}
  </div>
);

type OwnRatesProps = RuleProps<OwnRates> & { readonly subjects: RateSubjects; readonly pays: Terms['pays'] };

/** One rate for a group or a creator. More rules than one are kept as they are; the API changes them. */
function OwnRatesFields({ index, from, subjects, pays, onRemove }: OwnRatesProps) {
  const prefix = `own_rates.${index}`;
  const kept = keptRules(from, { pays });
  const [first = defaultOrderRule] = from.order_rules;
  const former = subjectIdOf(from);
  const choices = [...subjects.groups, ...subjects.members].map(({ id }) => id);
  const ids = former === '' || choices.includes(former) ? choices : [former, ...choices];
  return (
    <RuleFrame prefix={prefix} title={t.own_rates.rate({ value: index + 1 })} onRemove={onRemove}>
      <SelectField
        // The options arrive after the first render, and an uncontrolled field would lose its value.
        key={ids.length}
        name={`${prefix}.subject`}
        label={t.own_rates.applies_to}
        defaultValue={former === '' ? (ids[0] ?? '') : former}
        data={ids.map((id) => ({ value: id, label: subjectName(id, subjects) }))}
      />
      {kept === null ? (
        <RateFields prefix={prefix} from={first} />
      ) : (
        <p className={styles.note}>
          {kept}
          <input
            type="hidden"
            name={`${prefix}.kept`}
            value={JSON.stringify({ order_rules: from.order_rules, subscription_rules: from.subscription_rules })}
          />
        </p>
      )}
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
        label={t.terms_form.commission}
        inputMode="decimal"
        required
        withAsterisk={false}
        className="number"
        defaultValue={formatHundredths(from.basis_points ?? from.flat_cents ?? 0)}
      />
      <NativeSelect
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

/** Converts the form into the request body. Validation errors carry the rule's name, so they are shown in its group. */
function parseTerms(values: Values, counts: { readonly orders: number; readonly subscriptions: number; readonly own: number }) {
  const pays = values.option<Terms['pays']>('pays');
  return {
    pays,
    order_rules: indexes(counts.orders).map((index) => {
      const prefix = `order_rules.${index}`;
      return { product_id: pays === 'product' ? textOrNull(values, `${prefix}.product_id`) : null, ...parseRate(values, prefix) };
    }),
    subscription_rules: indexes(counts.subscriptions).map((index) => {
      const prefix = `subscription_rules.${index}`;
      return {
        product_id: textOrNull(values, `${prefix}.product_id`),
        price_id: textOrNull(values, `${prefix}.price_id`),
        ...parseRate(values, prefix),
        max_invoices: wholeOrNull(values, `${prefix}.max_invoices`),
        max_months: wholeOrNull(values, `${prefix}.max_months`),
      };
    }),
    ...(counts.own > 0 && { own_rates: indexes(counts.own).map((index) => parseOwnRates(values, `own_rates.${index}`)) }),
    ...parseAttribution(values),
    ...(values.text('starts') === 'later' && { effective_from: parseTimeField(values, 'effective_from') }),
  };
}

function parseOwnRates(values: Values, prefix: string): Pick<OwnRates, 'group_id' | 'member_id'> & Partial<OwnRates> {
  const subject = values.text(`${prefix}.subject`);
  const kept = values.text(`${prefix}.kept`);
  const ids = subject.startsWith('grp_') ? { group_id: subject, member_id: null } : { group_id: null, member_id: subject };
  if (kept !== '') {
    const rules: Pick<OwnRates, 'order_rules' | 'subscription_rules'> = JSON.parse(kept);
    return { ...ids, ...rules };
  }
  return { ...ids, order_rules: [{ product_id: null, ...noRate, ...parseRate(values, prefix) }], subscription_rules: [] };
}

/** Fills empty fields with null, as the service does. */
const termsRules = ({ pays, order_rules, subscription_rules, codes, returning, ...own }: ReturnType<typeof parseTerms>): TermsRules => ({
  pays,
  order_rules: order_rules.map((rule) => ({ ...noRate, ...rule })),
  subscription_rules: subscription_rules.map((rule) => ({ ...noRate, ...rule })),
  codes,
  returning: returning ?? null,
  own_rates: ('own_rates' in own && own.own_rates ? own.own_rates : []).map((rates) => ({
    order_rules: [],
    subscription_rules: [],
    ...rates,
  })),
});

const noRate = { basis_points: null, flat_cents: null };

const indexes = (count: number) => Array.from({ length: count }, (_, index) => index);

function parseRate(values: Values, prefix: string) {
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

function parseTimeField(values: Values, name: string): string {
  const moment = localInputToUtc(values.text(name));
  if (moment === null) throw fieldError(name, t.terms_form.must_have_a_day_and);
  return moment;
}

/** Not trimmed or changed: it is compared with the product IDs of the store's server. */
function textOrNull(values: Values, name: string): string | null {
  const typed = values.text(name);
  return typed === '' ? null : typed;
}

function wholeOrNull(values: Values, name: string): number | null {
  const typed = values.text(name);
  if (typed === '') return null;
  if (!/^\d{1,9}$/.test(typed)) throw fieldError(name, t.terms_form.must_be_a_whole_number);
  return Number(typed);
}
