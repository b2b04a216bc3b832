import type { CreditNote } from '../../../../sdk/src/api-schema.ts';
import { formatDollars, sumCents } from '../../ui/format.ts';
import { Chip } from '../../ui/chip.tsx';
import { hasRowsOrError, ListView, useShortList } from '../../ui/list.tsx';
import { Section } from '../../ui/page.tsx';
import { OpenButton } from '../../ui/row-buttons.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { creditNotesPath } from './billing-api.ts';
import { t } from './messages.ts';

type CreditNotesProps = { readonly store: string; readonly show: (invoice: string) => void };

/** Credits on invoices. Hidden for the many stores that have none. */
export function CreditNotes({ store, show }: CreditNotesProps) {
  const list = useShortList(creditNotesPath(store));
  if (!hasRowsOrError(list)) return null;
  return (
    <Section title={t.credit_notes.credit_notes} intro={t.credit_notes.credit_notes_correct_commissions} flush>
      <ListView caption={t.credit_notes.credit_notes} list={list} columns={creditNoteColumns(show)} keyOf={({ id }) => id} empty={null} />
    </Section>
  );
}

const creditNoteColumns = (show: CreditNotesProps['show']): ReadonlyArray<Column<CreditNote>> => [
  { title: t.credit_notes.credit_note, cell: ({ number }) => number },
  { title: t.credit_notes.issued, cell: ({ at }) => <Time at={at} dateOnly /> },
  {
    title: t.credit_notes.kind,
    cell: ({ kind }) =>
      kind === 'before' ? (
        <Chip label={t.credit_notes.reduces_the_invoice} tone="neutral" meaning={t.credit_notes.the_invoice_was_unpaid_so} />
      ) : (
        <Chip label={t.credit_notes.credit_for_the_next_invoice} tone="good" meaning={t.credit_notes.the_invoice_was_already_paid} />
      ),
  },
  { title: t.credit_notes.reason, cell: ({ reason }) => reason },
  {
    title: t.credit_notes.invoice,
    cell: ({ invoice_id: invoice, number }) => (
      <OpenButton ariaLabel={t.credit_notes.open_the_invoice_for({ number })} open={() => show(invoice)}>
        {t.credit_notes.open}
      </OpenButton>
    ),
  },
  {
    title: t.credit_notes.including_fee_usd,
    kind: 'number',
    cell: ({ lines_cents: lines, fee_cents: fee }) => formatDollars(sumCents([lines, fee])),
  },
];
