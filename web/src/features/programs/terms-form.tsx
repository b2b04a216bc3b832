import { Radio } from '../../ui/checkbox.tsx';
import { useRef, useState, type ReactNode } from 'react';
import type { Terms, OrderRule, OwnRates, SubscriptionRule } from '../../../../sdk/src/api-schema.ts';
import { CheckboxGroup, FieldRow, SelectField, TextField } from '../../ui/fields.tsx';
import { Form, readValues, type Values, fieldError } from '../../ui/form.tsx';
import { localInputToUtc } from '../../ui/time.tsx';
import { keptRules, subjectIdOf, subjectName, useRateSubjects, type RateSubjects } from './own-rates.ts';
import { ConditionFields, parseConditions } from './rule-conditions.tsx';
import {
  AddRuleButton,
  defaultOrderRule,
  indexes,
  noRate,
  parseRate,
  RateFields,
  RuleField,
  RuleFrame,
  useRows,
  type RuleProps,
  type Rows,
} from './rule-fields.tsx';
import { Simulator } from './simulator.tsx';
import { AttributionFields, parseAttribution } from './terms-attribution.tsx';
import { BudgetFields, parseBudget } from './terms-budget.tsx';
import { NoticeFields, parseNotice } from './terms-notice.tsx';
import { GoalFields, parseGoals } from './terms-goals.tsx';
import { countTiers, parseTiers, TiersGroup } from './terms-tiers.tsx';
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

/** The rules of a new version. A row's index is the index the service uses in its errors. */
export function TermsForm({ store, program, former, send, done, beside }: TermsFormProps) {
  const [pays, setPays] = useState<'order' | 'product'>(former?.pays ?? 'order');
  const top = useRef<HTMLDivElement>(null);
  const read = () => readForm(formOf(top.current));
  const draft = useDraft(read, former);
  const orders = useRows(former === null ? [defaultOrderRule] : former.order_rules, draft.refresh);
  const subscriptions = useRows(former?.subscription_rules ?? [], draft.refresh);
  const own = useRows(former?.own_rates ?? [], draft.refresh);
  const subjects = useRateSubjects(store, program);
  const counts = { orders: orders.rows.length, subscriptions: subscriptions.rows.length, own: own.rows.length };
  return (
    <Form
      send={(values: Values, key) => send(parseTerms(values, { ...counts, tiers: countTiers(formOf(top.current)) }), key)}
      done={done}
      submit={t.terms_form.add_version}
      warnsOnLeave
      beside={beside}
    >
      <div className={styles.group} ref={top} onInput={draft.refresh}>
        <h3>{t.terms_form.orders}</h3>
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
        {orders.rows.length > 1 && <p className={styles.note}>{t.rule_conditions.precedence}</p>}
        <AddRuleButton label={t.terms_form.add_order_rule} rows={orders} fresh={defaultOrderRule} />
      </div>
      <div className={styles.group} onInput={draft.refresh}>
        <h3>{t.terms_form.subscriptions}</h3>
        {subscriptions.rows.map(({ key, from }, index) => (
          <SubscriptionRuleFields key={key} index={index} from={from} onRemove={() => subscriptions.remove(key)} />
        ))}
        {subscriptions.rows.length === 0 && <p className={styles.note}>{t.terms_form.subscriptions_earn_nothing}</p>}
        <AddRuleButton label={t.terms_form.add_subscription_rule} rows={subscriptions} fresh={defaultSubscriptionRule} />
      </div>
      <OwnRatesGroup own={own} subjects={subjects} pays={pays} refresh={draft.refresh} />
      <TiersGroup former={former} pays={pays} refresh={draft.refresh} />
      <BudgetFields former={former} refresh={draft.refresh} />
      <GoalFields former={former} refresh={draft.refresh} />
      <AttributionFields former={former} refresh={draft.refresh} />
      <NoticeFields former={former} />
      <EffectiveFrom />
      <div className={styles.group}>
        <h3>{t.terms_form.simulate_before_saving}</h3>
        <Simulator store={store} program={program} draft={read} withProducts={pays === 'product'} />
      </div>
      {former !== null && <ChangesGroup former={former} rules={draft.rules} subjects={subjects} />}
    </Form>
  );
}

type ChangesGroupProps = { readonly former: Terms; readonly rules: TermsRules | null; readonly subjects: RateSubjects };

const ChangesGroup = ({ former, rules, subjects }: ChangesGroupProps) => (
  <div className={styles.group}>
    <h3>{t.terms_form.changes_from_version({ version: former.version })}</h3>
    <TermsChanges changes={rules && termsChanges(former, rules, (id) => subjectName(id, subjects))} version={former.version} />
  </div>
);

function EffectiveFrom() {
  const [starts, setStarts] = useState<'now' | 'later'>('now');
  return (
    <div className={styles.group}>
      <h3>{t.terms_form.effective_date}</h3>
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

const formOf = (inside: HTMLElement | null): HTMLFormElement | null => inside?.closest('form') ?? null;

/** Reads the form. Each rule has one rate field, so counting those counts the rules. */
function readForm(form: HTMLFormElement | null) {
  const count = (rules: string, field = 'rate') => form?.querySelectorAll(`[name^="${rules}."][name$=".${field}"]`).length ?? 0;
  const counts = { orders: count('order_rules'), subscriptions: count('subscription_rules'), own: count('own_rates', 'subject') };
  return parseTerms(readValues(new FormData(form ?? undefined)), { ...counts, tiers: countTiers(form) });
}

function parseRulesOrNull(read: () => ReturnType<typeof parseTerms>): TermsRules | null {
  try {
    return termsRules(read());
  } catch {
    return null;
  }
}

const defaultSubscriptionRule = {
  product_id: null,
  price_id: null,
  basis_points: 1_000,
  flat_cents: null,
  max_invoices: null,
  max_months: 12,
} as const;

const defaultOwnRates: OwnRates = { group_id: null, member_id: null, order_rules: [defaultOrderRule], subscription_rules: [] };

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
      <ConditionFields prefix={prefix} conditions={from.conditions} withProducts={withProduct} />
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
    <h3>{t.own_rates.title}</h3>
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
        <>
          <RateFields prefix={prefix} from={first} />
          <ConditionFields prefix={prefix} conditions={first.conditions} withProducts={pays === 'product'} />
        </>
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

type Counts = { readonly orders: number; readonly subscriptions: number; readonly own: number; readonly tiers: number };

/** Converts the form into the request body. Validation errors carry the rule's name, so they are shown in its group. */
function parseTerms(values: Values, counts: Counts) {
  const pays = values.option<Terms['pays']>('pays');
  return {
    pays,
    order_rules: indexes(counts.orders).map((index) => {
      const prefix = `order_rules.${index}`;
      const productId = pays === 'product' ? textOrNull(values, `${prefix}.product_id`) : null;
      return { product_id: productId, ...parseRate(values, prefix), ...parseConditions(values, prefix) };
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
    ...parseTiers(values, counts.tiers),
    ...parseBudget(values),
    ...parseGoals(values),
    ...parseAttribution(values),
    ...parseNotice(values),
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
  const rule = { product_id: null, ...noRate, ...parseRate(values, prefix), ...parseConditions(values, prefix) };
  return { ...ids, order_rules: [rule], subscription_rules: [] };
}

/** Fills empty fields with null, as the service does. */
const termsRules = ({
  pays,
  order_rules,
  subscription_rules,
  codes,
  returning,
  leads,
  tiers,
  budget,
  notice_days: _notice,
  protect_click_days: _protect,
  goals,
  ...own
}: ReturnType<typeof parseTerms>): TermsRules => ({
  pays,
  order_rules: order_rules.map((rule) => ({ ...noRate, ...rule })),
  subscription_rules: subscription_rules.map((rule) => ({ ...noRate, ...rule })),
  codes,
  returning: returning ?? null,
  leads,
  ...(tiers && { tiers }),
  ...(budget && { budget }),
  ...(goals && { goals }),
  own_rates: ('own_rates' in own && own.own_rates ? own.own_rates : []).map((rates) => ({
    order_rules: [],
    subscription_rules: [],
    ...rates,
  })),
});

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
