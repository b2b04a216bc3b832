import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { toasts } from '../../ui/toasts.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { InvoiceLine, CreditResult } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { formatDollars, sumCents } from '../../ui/format.ts';
import { CheckboxOption, TextField } from '../../ui/fields.tsx';
import { formError, Form, type Values } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { apiPagedQuery } from '../../ui/queries.ts';
import { ShowMore, Table, type Column } from '../../ui/table.tsx';
import styles from './operator.module.css';
import { LateRefund } from './late-refund.tsx';
import { localizeTimes } from '../../ui/localize-times.ts';
import { t } from './messages.ts';

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
  const only = chosen.size === 1 ? lines.find((line) => chosen.has(line.commission_id)) : undefined;
  const creditedAll = async () => {
    setChosen(new Set());
    await done();
  };
  const credit = (values: Values, key: string) => {
    if (chosen.size === 0) throw formError(t.credit_lines.select_at_least_one_line);
    const body = { commission_ids: [...chosen], reason: values.text('reason'), operator_bears: values.all('operator_bears').length > 0 };
    return api.post(apiPath('/stores/{store}/invoices/{invoice}/credit-notes', { store, invoice: id }), body, key);
  };
  return (
    <Section
      title={t.credit_lines.credit_invoice_lines({ invoice: invoice?.number ?? t.credit_lines.an_invoice })}
      intro={t.credit_lines.on_an_unpaid_invoice_credit}
      actions={
        <Button variant="subtle" size="xs" onClick={close}>
          {t.credit_lines.close}
        </Button>
      }
    >
      <QueryView query={found} />
      {invoice !== undefined && (
        <>
          <Table
            caption={t.credit_lines.lines_of_the_invoice}
            columns={columnsOf(chosen, toggle)}
            rows={lines}
            keyOf={({ commission_id: line }) => line}
          />
          {found.hasNextPage && <ShowMore list={found} />}
          <p className={`${styles.sum} ${styles.chosen}`} role="status">
            {t.credit_lines.lines_selected({ size: chosen.size, sum })}
          </p>
          <CreditForm
            lines={[...chosen].join(' ')}
            send={credit}
            done={async (made) => {
              notifyResult(made);
              await creditedAll();
            }}
          />
          {only !== undefined && <LateRefund key={only.commission_id} store={store} line={only} done={creditedAll} />}
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
  <Form send={send} done={done} submit={t.credit_lines.credit_lines} clears>
    {/* Another selection is another request and needs another idempotency key. */}
    <input type="hidden" name="chosen" value={lines} />
    <TextField name="reason" label={t.credit_lines.reason} description={t.credit_lines.the_store_sees_it_on} maxLength={500} />
    <CheckboxOption
      name="operator_bears"
      value="yes"
      label={t.credit_lines.include_amounts_already_paid_to}
      description={t.credit_lines.the_store_gets_the_money}
    />
  </Form>
);

function notifyResult({ credit_notes: notes, results }: CreditResult): void {
  const outcomes = Object.values(results);
  const left = outcomes.filter((word) => word !== 'ok').length;
  const made =
    notes.length === 0
      ? t.credit_lines.nothing_was_credited
      : t.credit_lines.issued({ notes: notes.map(({ number }) => number).join(', ') });
  const rest = left === 0 ? '' : t.credit_lines.lines_were_not_credited_because({ left });
  toasts.show({ message: `${made}${rest}`, ...(left > 0 && { color: 'yellow' as const }) });
}

const subjectOf = ({
  commission_id: id,
  order_id: order,
  invoice_id: invoice,
  lead_id: lead,
  bonus_reason: bonus,
}: Omit<InvoiceLine, 'credit_note'>): string => order ?? invoice ?? lead ?? (bonus === null ? id : localizeTimes(bonus));

const columnsOf = (chosen: ReadonlySet<string>, turn: (line: string) => void): ReadonlyArray<Column<InvoiceLine>> => [
  {
    title: t.credit_lines.select,
    kind: 'box',
    // Of a line that was credited in part, the rest can be credited.
    cell: (line) => (
      <Checkbox
        aria-label={t.credit_lines.select_2({ value: subjectOf(line) })}
        checked={chosen.has(line.commission_id)}
        disabled={line.state === 'reversed'}
        onChange={() => turn(line.commission_id)}
      />
    ),
  },
  { title: t.credit_lines.order, cell: subjectOf },
  { title: t.credit_lines.creator, kind: 'name', cell: ({ creator_name: name }) => name },
  { title: t.credit_lines.state, cell: ({ state, credit_note: note }) => (note === null ? state : t.credit_lines.credited({ note })) },
  { title: 'USD', kind: 'number', cell: ({ amount_cents: cents }) => formatDollars(cents) },
];
