import { Button, Checkbox } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { InvoiceLine, CreditResult } from '../../api/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { formatDollars, sumCents, formatUsd, formatCount } from '../../ui/format.ts';
import { CheckboxOption, TextField } from '../../ui/fields.tsx';
import { formError, Form, type Values } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { apiPagedQuery } from '../../ui/queries.ts';
import { ShowMore, Table, type Column } from '../../ui/table.tsx';
import styles from './operator.module.css';

type CreditLinesProps = {
  readonly store: string;
  readonly invoice: string;
  readonly close: () => void;
  readonly done: () => Promise<unknown>;
};

const linesPerPage = 50;

/** Credits single invoice lines, for refunds that came too late for a reversal. */
export function CreditLines({ store, invoice: id, close, done }: CreditLinesProps) {
  const path = apiPath('/stores/{store}/invoices/{invoice}', { store, invoice: id });
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const found = useInfiniteQuery(apiPagedQuery({ path, limit: linesPerPage, next: (page) => page.next_cursor }));
  const invoice = found.data?.pages[0];
  const lines = found.data?.pages.flatMap((page) => page.lines) ?? [];
  const toggle = (line: string) =>
    setChosen((now) => (now.has(line) ? new Set([...now].filter((one) => one !== line)) : new Set([...now, line])));
  const sum = sumCents(lines.filter((line) => chosen.has(line.commission_id)).map(({ amount_cents: cents }) => cents));
  const credit = (values: Values, key: string) => {
    if (chosen.size === 0) throw formError('Choose at least one line of the invoice.');
    const body = { commission_ids: [...chosen], reason: values.text('reason'), operator_bears: values.all('operator_bears').length > 0 };
    return api.post(apiPath('/stores/{store}/invoices/{invoice}/credit-notes', { store, invoice: id }), body, key);
  };
  return (
    <Section
      title={`Credit lines of ${invoice?.number ?? 'an invoice'}`}
      intro="Before the invoice is paid less is owed; after, it is taken off the store’s next bills."
      actions={
        <Button variant="subtle" size="xs" onClick={close}>
          Close
        </Button>
      }
    >
      <QueryView query={found} />
      {invoice !== undefined && (
        <>
          <Table
            caption="Lines of the invoice"
            columns={columnsOf(chosen, toggle)}
            rows={lines}
            keyOf={({ commission_id: line }) => line}
          />
          {found.hasNextPage && <ShowMore list={found} />}
          <p className={`${styles.sum} ${styles.chosen}`} role="status">
            {formatCount(chosen.size, 'line', 'lines')} chosen, {formatUsd(sum)}
          </p>
          <CreditForm
            lines={[...chosen].join(' ')}
            send={credit}
            done={async (made) => {
              notifyResult(made);
              setChosen(new Set());
              await done();
            }}
          />
        </>
      )}
    </Section>
  );
}

type CreditFormProps = {
  readonly lines: string;
  readonly send: (values: Values, key: string) => Promise<CreditResult>;
  readonly done: (made: CreditResult) => Promise<void>;
};

const CreditForm = ({ lines, send, done }: CreditFormProps) => (
  <Form send={send} done={done} submit="Credit them" clears>
    {/* Another selection is another request and needs another idempotency key. */}
    <input type="hidden" name="chosen" value={lines} />
    <TextField name="reason" label="Reason" description="The store reads it on the credit note." maxLength={500} />
    <CheckboxOption
      name="operator_bears"
      value="yes"
      label="Also what a creator was paid"
      description="The store has it back, the creator keeps it, and you bear it."
    />
  </Form>
);

function notifyResult({ credit_notes: notes, results }: CreditResult): void {
  const outcomes = Object.values(results);
  const left = outcomes.filter((word) => word !== 'ok').length;
  const made = notes.length === 0 ? 'Nothing was credited.' : `Made ${notes.map(({ number }) => number).join(', ')}.`;
  const rest =
    left === 0 ? '' : ` ${formatCount(left, 'line was', 'lines were')} left: paid out already, on the way, or taken back before.`;
  notifications.show({ message: `${made}${rest}`, ...(left > 0 && { color: 'yellow' }) });
}

const columnsOf = (chosen: ReadonlySet<string>, turn: (line: string) => void): ReadonlyArray<Column<InvoiceLine>> => [
  {
    title: 'Choose',
    kind: 'box',
    cell: ({ commission_id: id, order_id: order, invoice_id: invoice, credit_note: note }) => (
      <Checkbox
        aria-label={`Choose ${order ?? invoice ?? id}`}
        checked={chosen.has(id)}
        disabled={note !== null}
        onChange={() => turn(id)}
      />
    ),
  },
  { title: 'Order', cell: ({ commission_id: id, order_id: order, invoice_id: invoice }) => order ?? invoice ?? id },
  { title: 'Creator', kind: 'name', cell: ({ creator_name: name }) => name },
  { title: 'State', cell: ({ state, credit_note: note }) => (note === null ? state : `credited, ${note}`) },
  { title: 'USD', kind: 'number', cell: ({ amount_cents: cents }) => formatDollars(cents) },
];
