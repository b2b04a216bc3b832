import { dollarsOf, totalCents } from '../parts/amounts.ts';
import { Chip } from '../parts/chip.tsx';
import { useIsWorthAPlace } from '../parts/has-rows.ts';
import { Section } from '../parts/page.tsx';
import { listing } from '../parts/reading.ts';
import { Opener } from '../parts/row-buttons.tsx';
import { PagedTable, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { creditNotesPath, type CreditNote } from './billing-api.ts';

type CreditNotesProps = { readonly store: string; readonly show: (invoice: string) => void };

/** What was taken back from bills. Most stores have none, and see nothing of it. */
export function CreditNotes({ store, show }: CreditNotesProps) {
  const list = listing<CreditNote>(creditNotesPath(store));
  if (!useIsWorthAPlace(list)) return null;
  return (
    <Section title="Credit notes" intro="What was refunded too late to come off a bill. It is made by whoever runs this service." flush>
      <PagedTable caption="Credit notes" list={list} columns={columnsOf(show)} keyOf={({ id }) => id} empty={null} />
    </Section>
  );
}

const columnsOf = (show: CreditNotesProps['show']): ReadonlyArray<Column<CreditNote>> => [
  { title: 'Credit note', cell: ({ number }) => number },
  { title: 'Made', cell: ({ at }) => <Time at={at} dateOnly /> },
  {
    title: 'Kind',
    cell: ({ kind }) =>
      kind === 'before' ? (
        <Chip word="Off the bill" tone="calm" meaning="The invoice was not paid yet: less is charged for it." />
      ) : (
        <Chip word="For the next bill" tone="good" meaning="The invoice was paid already: it is taken off your next invoices." />
      ),
  },
  { title: 'Reason', cell: ({ reason }) => reason },
  {
    title: 'Invoice',
    cell: ({ invoice_id: invoice, number }) => (
      <Opener says={`Open the invoice of ${number}`} open={() => show(invoice)}>
        Open
      </Opener>
    ),
  },
  {
    title: 'With fee, USD',
    kind: 'number',
    cell: ({ lines_cents: lines, fee_cents: fee }) => dollarsOf(totalCents([lines, fee])),
  },
];
