import type { CreditNote } from '../../api/api-schema.ts';
import { formatDollars, sumCents } from '../../ui/format.ts';
import { Chip } from '../../ui/chip.tsx';
import { hasRowsOrError, ListView, useShortList } from '../../ui/list.tsx';
import { Section } from '../../ui/page.tsx';
import { OpenButton } from '../../ui/row-buttons.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { creditNotesPath } from './billing-api.ts';

type CreditNotesProps = { readonly store: string; readonly show: (invoice: string) => void };

/** Credits on invoices. Hidden for the many stores that have none. */
export function CreditNotes({ store, show }: CreditNotesProps) {
  const list = useShortList(creditNotesPath(store));
  if (!hasRowsOrError(list)) return null;
  return (
    <Section title="Credit notes" intro="What was refunded too late to come off a bill. It is made by whoever runs this service." flush>
      <ListView caption="Credit notes" list={list} columns={creditNoteColumns(show)} keyOf={({ id }) => id} empty={null} />
    </Section>
  );
}

const creditNoteColumns = (show: CreditNotesProps['show']): ReadonlyArray<Column<CreditNote>> => [
  { title: 'Credit note', cell: ({ number }) => number },
  { title: 'Made', cell: ({ at }) => <Time at={at} dateOnly /> },
  {
    title: 'Kind',
    cell: ({ kind }) =>
      kind === 'before' ? (
        <Chip label="Off the bill" tone="neutral" meaning="The invoice was not paid yet: less is charged for it." />
      ) : (
        <Chip label="For the next bill" tone="good" meaning="The invoice was paid already: it is taken off your next invoices." />
      ),
  },
  { title: 'Reason', cell: ({ reason }) => reason },
  {
    title: 'Invoice',
    cell: ({ invoice_id: invoice, number }) => (
      <OpenButton ariaLabel={`Open the invoice of ${number}`} open={() => show(invoice)}>
        Open
      </OpenButton>
    ),
  },
  {
    title: 'With fee, USD',
    kind: 'number',
    cell: ({ lines_cents: lines, fee_cents: fee }) => formatDollars(sumCents([lines, fee])),
  },
];
