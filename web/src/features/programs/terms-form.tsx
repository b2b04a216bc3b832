import { Button, Radio, Title } from '@mantine/core';
import { useRef, useState, type ReactNode } from 'react';
import { CheckboxGroup, FieldRow, SelectField, TextField } from '../../ui/fields.tsx';
import { Form, readValues, type Values } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import type { Terms } from './programs-api.ts';
import { OrderRuleFields, SubscriptionRuleFields } from './rule-fields.tsx';
import { Simulator } from './simulator.tsx';
import { termsRules, parseTerms } from './terms-body.ts';
import { TermsChanges } from './terms-changes.tsx';
import { termsChanges, type TermsRules } from './terms-difference.ts';
import styles from './terms.module.css';

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
  const counts = { orders: orders.rows.length, subscriptions: subscriptions.rows.length };
  return (
    <Form send={(values: Values, key) => send(parseTerms(values, counts), key)} done={done} submit="Add this version" beside={beside}>
      <div className={styles.group} ref={top} onInput={draft.refresh}>
        <Title order={3}>Orders</Title>
        <SelectField
          name="pays"
          label="One-time orders are paid"
          value={pays}
          onChange={(event) => setPays(event.currentTarget.value === 'product' ? 'product' : 'order')}
          data={[
            { value: 'order', label: 'by the whole order' },
            { value: 'product', label: 'by each product in it' },
          ]}
        />
        {orders.rows.map(({ key, from }, place) => (
          <OrderRuleFields key={key} index={place} from={from} withProduct={pays === 'product'} onRemove={() => orders.remove(key)} />
        ))}
        {orders.rows.length === 0 && <p className={styles.note}>One-time orders earn nothing.</p>}
        {(pays === 'product' || orders.rows.length === 0) && (
          <AddRuleButton label="Add a rule for orders" rows={orders} fresh={defaultOrderRule} />
        )}
      </div>
      <div className={styles.group} onInput={draft.refresh}>
        <Title order={3}>Subscriptions</Title>
        {subscriptions.rows.map(({ key, from }, place) => (
          <SubscriptionRuleFields key={key} index={place} from={from} onRemove={() => subscriptions.remove(key)} />
        ))}
        {subscriptions.rows.length === 0 && <p className={styles.note}>Subscriptions earn nothing.</p>}
        <AddRuleButton label="Add a rule for subscriptions" rows={subscriptions} fresh={defaultSubscriptionRule} />
      </div>
      <EffectiveFrom />
      <div className={styles.group}>
        <Title order={3}>Try it before it is made</Title>
        <Simulator store={store} program={program} draft={read} withProducts={pays === 'product'} />
      </div>
      {former !== null && (
        <div className={styles.group}>
          <Title order={3}>What changes against version {former.version}</Title>
          <TermsChanges changes={draft.rules && termsChanges(former, draft.rules)} version={former.version} />
        </div>
      )}
    </Form>
  );
}

function EffectiveFrom() {
  const [starts, setStarts] = useState<'now' | 'later'>('now');
  return (
    <div className={styles.group}>
      <Title order={3}>From when</Title>
      <CheckboxGroup label="It holds">
        <Radio name="starts" value="now" label="from now on" checked={starts === 'now'} onChange={() => setStarts('now')} />
        <Radio
          name="starts"
          value="later"
          label="from a day that I name"
          checked={starts === 'later'}
          onChange={() => setStarts('later')}
        />
      </CheckboxGroup>
      {starts === 'later' && (
        <FieldRow>
          <TextField
            name="effective_from"
            label="Day and time"
            description="In your own time zone. The past only while the program was never published."
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
  const count = (rules: string) => form?.querySelectorAll(`[name^="${rules}."][name$=".rate"]`).length ?? 0;
  const counts = { orders: count('order_rules'), subscriptions: count('subscription_rules') };
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
