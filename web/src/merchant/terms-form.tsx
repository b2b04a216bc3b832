import { Button, Radio, Title } from '@mantine/core';
import { useRef, useState, type ReactNode } from 'react';
import { Choices, Row, SelectField, TextField } from '../parts/fields.tsx';
import { Form, valuesOf, type Values } from '../parts/form.tsx';
import { Icon } from '../parts/icons.tsx';
import type { Terms } from './programs-api.ts';
import { OrderRuleFields, SubscriptionRuleFields } from './rule-fields.tsx';
import { Simulator } from './simulator.tsx';
import { rulesOf, termsIn } from './terms-body.ts';
import { TermsChanges } from './terms-changes.tsx';
import { differenceOf, type RulesOfTerms } from './terms-difference.ts';
import styles from './terms.module.css';

type TermsFormProps = {
  readonly store: string;
  readonly program: string;
  /** The rules to begin with: those of the last version. */
  readonly former: Terms | null;
  readonly send: (body: ReturnType<typeof termsIn>, key: string) => Promise<Terms>;
  readonly done: (terms: Terms) => unknown;
  readonly beside: ReactNode;
};

const rulesMax = 500;

/** The rules of a new version: rows that come and go. A row's number is its place, as the service counts them in its faults. */
export function TermsForm({ store, program, former, send, done, beside }: TermsFormProps) {
  const [pays, setPays] = useState<'order' | 'product'>(former?.pays ?? 'order');
  const top = useRef<HTMLDivElement>(null);
  const read = () => readTyped(top.current?.closest('form') ?? null);
  const draft = useDraft(read, former);
  const orders = useRows(former === null ? [usualOrderRule] : former.order_rules, draft.readAgain);
  const subscriptions = useRows(former?.subscription_rules ?? [], draft.readAgain);
  const counts = { orders: orders.rows.length, subscriptions: subscriptions.rows.length };
  return (
    <Form send={(values: Values, key) => send(termsIn(values, counts), key)} done={done} submit="Add this version" beside={beside}>
      <div className={styles.group} ref={top} onInput={draft.readAgain}>
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
          <OrderRuleFields key={key} place={place} from={from} withProduct={pays === 'product'} onRemove={() => orders.remove(key)} />
        ))}
        {orders.rows.length === 0 && <p className={styles.note}>One-time orders earn nothing.</p>}
        {(pays === 'product' || orders.rows.length === 0) && <Adder label="Add a rule for orders" rows={orders} fresh={usualOrderRule} />}
      </div>
      <div className={styles.group} onInput={draft.readAgain}>
        <Title order={3}>Subscriptions</Title>
        {subscriptions.rows.map(({ key, from }, place) => (
          <SubscriptionRuleFields key={key} place={place} from={from} onRemove={() => subscriptions.remove(key)} />
        ))}
        {subscriptions.rows.length === 0 && <p className={styles.note}>Subscriptions earn nothing.</p>}
        <Adder label="Add a rule for subscriptions" rows={subscriptions} fresh={usualSubscriptionRule} />
      </div>
      <FromWhen />
      <div className={styles.group}>
        <Title order={3}>Try it before it is made</Title>
        <Simulator store={store} program={program} draft={read} withProducts={pays === 'product'} />
      </div>
      {former !== null && (
        <div className={styles.group}>
          <Title order={3}>What changes against version {former.version}</Title>
          <TermsChanges changes={draft.rules && differenceOf(former, draft.rules)} version={former.version} />
        </div>
      )}
    </Form>
  );
}

function FromWhen() {
  const [starts, setStarts] = useState<'now' | 'later'>('now');
  return (
    <div className={styles.group}>
      <Title order={3}>From when</Title>
      <Choices label="It holds">
        <Radio name="starts" value="now" label="from now on" checked={starts === 'now'} onChange={() => setStarts('now')} />
        <Radio
          name="starts"
          value="later"
          label="from a day that I name"
          checked={starts === 'later'}
          onChange={() => setStarts('later')}
        />
      </Choices>
      {starts === 'later' && (
        <Row>
          <TextField
            name="effective_from"
            label="Day and time"
            description="In your own time zone. The past only while the program was never published."
            type="datetime-local"
          />
        </Row>
      )}
    </div>
  );
}

type Draft = { readonly rules: RulesOfTerms | null; readonly readAgain: () => void };

/** The rules as they are typed just now; null while something in them makes no sense. */
function useDraft(read: () => ReturnType<typeof termsIn>, former: RulesOfTerms | null): Draft {
  const [rules, setRules] = useState(former);
  // A moment later: rows that came or went stand in the page only after it was drawn.
  return { rules, readAgain: () => void setTimeout(() => setRules(rulesOrNull(read))) };
}

/** What the form says just now: a rule has one field for its rate. */
function readTyped(form: HTMLFormElement | null) {
  const count = (rules: string) => form?.querySelectorAll(`[name^="${rules}."][name$=".rate"]`).length ?? 0;
  const counts = { orders: count('order_rules'), subscriptions: count('subscription_rules') };
  return termsIn(valuesOf(new FormData(form ?? undefined)), counts);
}

function rulesOrNull(read: () => ReturnType<typeof termsIn>): RulesOfTerms | null {
  try {
    return rulesOf(read());
  } catch {
    return null;
  }
}

const usualOrderRule = { product_id: null, basis_points: 1_000, flat_cents: null } as const;
const usualSubscriptionRule = {
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

function Adder<Rule>({ label, rows, fresh }: { readonly label: string; readonly rows: Rows<Rule>; readonly fresh: Rule }) {
  if (rows.rows.length >= rulesMax) return null;
  return (
    <div>
      <Button variant="default" size="xs" leftSection={<Icon name="plus" size={14} />} onClick={() => rows.add(fresh)}>
        {label}
      </Button>
    </div>
  );
}
