import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { UnmatchedCharge } from '../../api/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { formatDollars, formatUsd } from '../../ui/format.ts';
import { CopyIcon } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form, type Values } from '../../ui/form.tsx';
import { ShortList } from '../../ui/list.tsx';
import { EmptyState, Section } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { StoreLink } from './entity-links.tsx';

/**
 * Charges without an unpaid invoice: the invoice was paid twice, or credited in the meantime. Nothing is posted; a person refunds them
 * at the provider.
 */
export const UnmatchedCharges = () => (
  <Section
    title="To give back"
    intro="A charge that succeeded after its invoice was paid otherwise, credited or waived. Send the money back at the provider, then say so here."
    flush
  >
    <ShortList
      caption="Charges to give back"
      path={'/stray-charges'}
      keyOf={({ id }) => id}
      columns={unmatchedChargeColumns}
      empty={<EmptyState title="No charge is to be given back">All that came in was owed.</EmptyState>}
    />
  </Section>
);

const unmatchedChargeColumns: ReadonlyArray<Column<UnmatchedCharge>> = [
  { title: 'Came in', cell: ({ since }) => <Time at={since} /> },
  { title: 'Store', kind: 'name', cell: ({ store_id: id }) => <StoreLink id={id} /> },
  { title: 'Amount, USD', kind: 'number', cell: ({ amount_cents: cents }) => <strong>{formatDollars(cents)}</strong> },
  {
    title: 'At the provider',
    cell: ({ provider, provider_id: name, id }) => (
      <>
        {provider} <span className="mono">{name ?? id}</span> <CopyIcon value={name ?? id} label="its name at the provider" />
      </>
    ),
  },
  { title: 'Change', kind: 'actions', cell: (charge) => <MarkRefundedButton charge={charge} /> },
];

function MarkRefundedButton({ charge }: { readonly charge: UnmatchedCharge }) {
  const [opened, setOpened] = useState(false);
  const client = useQueryClient();
  const send = (values: Values, key: string) =>
    api.post(
      apiPath('/stores/{store}/charges/{charge}/give-back', { store: charge.store_id, charge: charge.id }),
      { note: values.text('note') },
      key,
    );
  const done = async () => {
    setOpened(false);
    await client.invalidateQueries();
  };
  return (
    <>
      <Button variant="subtle" size="xs" aria-label={`Given back ${charge.id}`} onClick={() => setOpened(true)}>
        Given back
      </Button>
      <Dialog title={`Were ${formatUsd(charge.amount_cents)} sent back?`} opened={opened} onClose={() => setOpened(false)}>
        <Form
          send={send}
          done={done}
          submit="Say so"
          beside={
            <Button variant="default" onClick={() => setOpened(false)}>
              Cancel
            </Button>
          }
        >
          <TextField
            name="note"
            label="Where it is seen"
            description="Such as the name of the refund at the provider. Stands in the audit log beside your name."
            maxLength={200}
          />
        </Form>
      </Dialog>
    </>
  );
}
