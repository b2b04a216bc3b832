import { Button } from '../../ui/button.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { UnmatchedCharge } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { formatDollars } from '../../ui/format.ts';
import { CopyIcon } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form, type Values } from '../../ui/form.tsx';
import { ShortList } from '../../ui/list.tsx';
import { EmptyState, Section } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { StoreLink, useStoreName } from './entity-links.tsx';
import { t } from './messages.ts';

/**
 * Charges without an unpaid invoice: the invoice was paid twice, or credited in the meantime. Nothing is posted; a person refunds them
 * at the provider.
 */
export const UnmatchedCharges = () => (
  <Section title={t.unmatched_charges.charges_to_refund} intro={t.unmatched_charges.these_charges_succeeded_after_thei} flush>
    <ShortList
      caption={t.unmatched_charges.charges_to_refund_2}
      path={'/stray-charges'}
      keyOf={({ id }) => id}
      columns={unmatchedChargeColumns}
      empty={<EmptyState title={t.unmatched_charges.no_charges_to_refund}>{t.unmatched_charges.all_payments_received_were_due}</EmptyState>}
    />
  </Section>
);

const unmatchedChargeColumns: ReadonlyArray<Column<UnmatchedCharge>> = [
  { title: t.unmatched_charges.received, cell: ({ since }) => <Time at={since} /> },
  { title: t.unmatched_charges.store, kind: 'name', cell: ({ store_id: id }) => <StoreLink id={id} /> },
  { title: t.unmatched_charges.amount_usd, kind: 'number', cell: ({ amount_cents: cents }) => <strong>{formatDollars(cents)}</strong> },
  {
    title: t.unmatched_charges.provider_id,
    cell: ({ provider, provider_id: name, id }) => (
      <>
        {provider} <span className="mono">{name ?? id}</span> <CopyIcon value={name ?? id} label={t.unmatched_charges.provider_id_2} />
      </>
    ),
  },
  { title: t.unmatched_charges.change, kind: 'actions', cell: (charge) => <MarkRefundedButton charge={charge} /> },
];

function MarkRefundedButton({ charge }: { readonly charge: UnmatchedCharge }) {
  const store = useStoreName(charge.store_id);
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
      <Button
        variant="subtle"
        size="xs"
        aria-label={t.unmatched_charges.mark_as_refunded({ cents: charge.amount_cents, store })}
        onClick={() => setOpened(true)}
      >
        {t.unmatched_charges.mark_as_refunded_2}
      </Button>
      <Dialog
        title={t.unmatched_charges.was_refunded({ amountCents: charge.amount_cents })}
        opened={opened}
        onClose={() => setOpened(false)}
      >
        <Form
          send={send}
          done={done}
          submit={t.unmatched_charges.mark_as_refunded_3}
          beside={
            <Button variant="default" onClick={() => setOpened(false)}>
              {t.unmatched_charges.cancel}
            </Button>
          }
        >
          <TextField
            name="note"
            label={t.unmatched_charges.reference}
            description={t.unmatched_charges.such_as_the_providers_refund}
            maxLength={200}
          />
        </Form>
      </Dialog>
    </>
  );
}
