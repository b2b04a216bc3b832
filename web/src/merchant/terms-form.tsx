import { Button, Radio, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Choices, Row, SelectField, TextField } from '../parts/fields.tsx';
import { Form, type Values } from '../parts/form.tsx';
import { Icon } from '../parts/icons.tsx';
import type { Terms } from './programs-api.ts';
import { OrderRuleFields, SubscriptionRuleFields } from './rule-fields.tsx';
import { termsIn } from './terms-body.ts';
import styles from './terms.module.css';

type TermsFormProps = {
  /** The rules to begin with: those of the last version. */
  readonly former: Terms | null;
  readonly send: (body: ReturnType<typeof termsIn>, key: string) => Promise<Terms>;
  readonly done: (terms: Terms) => unknown;
  readonly beside: ReactNode;
};

const rulesMax = 500;

/** The rules of a new version: rows that come and go. A row's number is its place, as the service counts them in its faults. */
export function TermsForm({ former, send, done, beside }: TermsFormProps) {
  const [pays, setPays] = useState<'order' | 'product'>(former?.pays ?? 'order');
  const [starts, setStarts] = useState<'now' | 'later'>('now');
  const orders = useRows(former === null ? [usualOrderRule] : former.order_rules);
  const subscriptions = useRows(former?.subscription_rules ?? []);
  const counts = { orders: orders.rows.length, subscriptions: subscriptions.rows.length };
  return (
    <Form send={(values: Values, key) => send(termsIn(values, counts), key)} done={done} submit="Add this version" beside={beside}>
      <div className={styles.group}>
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
      <div className={styles.group}>
        <Title order={3}>Subscriptions</Title>
        {subscriptions.rows.map(({ key, from }, place) => (
          <SubscriptionRuleFields key={key} place={place} from={from} onRemove={() => subscriptions.remove(key)} />
        ))}
        {subscriptions.rows.length === 0 && <p className={styles.note}>Subscriptions earn nothing.</p>}
        <Adder label="Add a rule for subscriptions" rows={subscriptions} fresh={usualSubscriptionRule} />
      </div>
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
    </Form>
  );
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

function useRows<Rule>(first: readonly Rule[]): Rows<Rule> {
  const [rows, setRows] = useState(() => first.map((from, key) => ({ key, from })));
  return {
    rows,
    add: (from) => setRows((former) => [...former, { key: (former.at(-1)?.key ?? -1) + 1, from }]),
    remove: (key) => setRows((former) => former.filter((row) => row.key !== key)),
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
