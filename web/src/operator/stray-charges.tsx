import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api.ts';
import { dollarsOf, usd } from '../parts/amounts.ts';
import { CopyIcon } from '../parts/copy.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { Form, type Values } from '../parts/form.tsx';
import { Empty, Section } from '../parts/page.tsx';
import { listing } from '../parts/reading.ts';
import { PagedTable, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { StoreLink } from './named.tsx';
import type { StrayCharge } from './operator-api.ts';

/** What a store paid twice, or for what was credited meanwhile. Nothing is posted for it: only a person can send it back. */
export const StrayCharges = () => (
  <Section
    title="To give back"
    intro="A charge that succeeded after its invoice was paid otherwise, credited or waived. Send the money back at the provider, then say so here."
    flush
  >
    <PagedTable
      caption="Charges to give back"
      list={listing<StrayCharge>('/stray-charges')}
      keyOf={({ id }) => id}
      columns={columns}
      empty={<Empty title="No charge is to be given back">All that came in was owed.</Empty>}
    />
  </Section>
);

const columns: ReadonlyArray<Column<StrayCharge>> = [
  { title: 'Came in', cell: ({ since }) => <Time at={since} /> },
  { title: 'Store', kind: 'name', cell: ({ store_id: id }) => <StoreLink id={id} /> },
  { title: 'Amount, USD', kind: 'number', cell: ({ amount_cents: cents }) => <strong>{dollarsOf(cents)}</strong> },
  {
    title: 'At the provider',
    cell: ({ provider, provider_id: name, id }) => (
      <>
        {provider} <span className="mono">{name ?? id}</span> <CopyIcon value={name ?? id} label="its name at the provider" />
      </>
    ),
  },
  { title: 'Change', kind: 'actions', cell: (charge) => <GiveBack charge={charge} /> },
];

function GiveBack({ charge }: { readonly charge: StrayCharge }) {
  const [opened, setOpened] = useState(false);
  const client = useQueryClient();
  const send = (values: Values, key: string) =>
    api.post(`/stores/${charge.store_id}/charges/${charge.id}/give-back`, { note: values.text('note') }, key);
  const done = async () => {
    setOpened(false);
    await client.invalidateQueries();
  };
  return (
    <>
      <Button variant="subtle" size="xs" aria-label={`Given back ${charge.id}`} onClick={() => setOpened(true)}>
        Given back
      </Button>
      <Dialog title={`Were ${usd(charge.amount_cents)} sent back?`} opened={opened} onClose={() => setOpened(false)}>
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
