import { Button, Checkbox } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api.ts';
import { invoicesPath, type CreditNote, type InvoiceLine, type WholeInvoice } from '../merchant/billing-api.ts';
import { dollarsOf, totalCents, usd } from '../parts/amounts.ts';
import { countOf } from '../parts/count-of.ts';
import { Choice, TextField } from '../parts/fields.tsx';
import { faultOfWhole, Form, type Values } from '../parts/form.tsx';
import { Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { readingInPages } from '../parts/reading.ts';
import { ShowMore } from '../parts/show-more.tsx';
import { Table, Waiting, type Column } from '../parts/table.tsx';
import styles from './operator.module.css';

type CreditLinesProps = {
  readonly store: string;
  readonly invoice: string;
  readonly close: () => void;
  readonly done: () => Promise<unknown>;
};

const linesPerPage = 50;

/** What was refunded too late for a reversal is credited here, line by line. */
export function CreditLines({ store, invoice: id, close, done }: CreditLinesProps) {
  const path = `${invoicesPath(store)}/${id}`;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const found = useInfiniteQuery(readingInPages<WholeInvoice>({ path, limit: linesPerPage, next: (page) => page.next_cursor }));
  const invoice = found.data?.pages[0];
  const lines = found.data?.pages.flatMap((page) => page.lines) ?? [];
  const turn = (line: string) =>
    setChosen((now) => (now.has(line) ? new Set([...now].filter((one) => one !== line)) : new Set([...now, line])));
  const sum = totalCents(lines.filter((line) => chosen.has(line.commission_id)).map(({ amount_cents: cents }) => cents));
  const credit = (values: Values, key: string) => {
    if (chosen.size === 0) throw faultOfWhole('Choose at least one line of the invoice.');
    const body = { commission_ids: [...chosen], reason: values.text('reason'), operator_bears: values.all('operator_bears').length > 0 };
    return api.post<Credited>(`${path}/credit-notes`, body, key);
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
      {found.isPending && <Waiting />}
      {found.isError && !found.isFetchNextPageError && <ProblemNote problem={found.error} onRetry={() => void found.refetch()} />}
      {invoice !== undefined && (
        <>
          <Table caption="Lines of the invoice" columns={columnsOf(chosen, turn)} rows={lines} keyOf={({ commission_id: line }) => line} />
          {found.hasNextPage && <ShowMore of={found} />}
          <p className={`${styles.sum} ${styles.chosen}`} role="status">
            {countOf(chosen.size, 'line', 'lines')} chosen, {usd(sum)}
          </p>
          <CreditForm
            lines={[...chosen].join(' ')}
            send={credit}
            done={async (made) => {
              tellOf(made);
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
  readonly send: (values: Values, key: string) => Promise<Credited>;
  readonly done: (made: Credited) => Promise<void>;
};

const CreditForm = ({ lines, send, done }: CreditFormProps) => (
  <Form send={send} done={done} submit="Credit them" clears>
    {/* Other lines are another request, with another key. */}
    <input type="hidden" name="chosen" value={lines} />
    <TextField name="reason" label="Reason" description="The store reads it on the credit note." maxLength={500} />
    <Choice
      name="operator_bears"
      value="yes"
      label="Also what a creator was paid"
      description="The store has it back, the creator keeps it, and you bear it."
    />
  </Form>
);

type Credited = { readonly credit_notes: readonly CreditNote[]; readonly results: Readonly<Record<string, string>> };

function tellOf({ credit_notes: notes, results }: Credited): void {
  const words = Object.values(results);
  const left = words.filter((word) => word !== 'ok').length;
  const made = notes.length === 0 ? 'Nothing was credited.' : `Made ${notes.map(({ number }) => number).join(', ')}.`;
  const rest = left === 0 ? '' : ` ${countOf(left, 'line was', 'lines were')} left: paid out already, on the way, or taken back before.`;
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
  { title: 'USD', kind: 'number', cell: ({ amount_cents: cents }) => dollarsOf(cents) },
];
