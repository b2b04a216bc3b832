import { Button, Radio } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { OpenCharge } from '../../api/api-schema.ts';
import { apiPath, type RequestBody } from '../../api/operations.ts';
import { StatusChip, type StatusTexts } from '../../ui/chip.tsx';
import { CopyIcon } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { formError, Form, type Values } from '../../ui/form.tsx';
import { formatDollars, formatUsd } from '../../ui/format.ts';
import { ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { StoreLink } from './entity-links.tsx';
import type { ChargesSearch } from './operator-search.ts';
import styles from './operator.module.css';
import { UnmatchedCharges } from './unmatched-charges.tsx';

/** Charges with an unknown result. Nearly all resolve without action; the others need a person who checks at the provider. */
export function OpenChargesPage() {
  const search = useSearch({ from: '/signed-in/operator/charges' });
  const navigate = useNavigate({ from: '/operator/charges' });
  const list = useList<'/charges', Pick<ChargesSearch, 'state'>>({
    search,
    navigate,
    path: '/charges',
    fields: [{ type: 'select', name: 'state', label: 'State', options: states }],
  });
  return (
    <Page
      title="Open charges"
      intro="A charge that was not answered is never taken for a failure: the provider is asked until it knows. Where it does not, say what its own list has."
    >
      <Section title="Charges without an end" bare flush>
        <ListView
          list={list}
          caption="Charges without an end"
          columns={openChargeColumns}
          keyOf={({ id }) => id}
          empty={
            !list.isFiltered ? (
              <EmptyState title="No charge is open">Every charge has ended, one way or the other.</EmptyState>
            ) : (
              <EmptyState title="No open charge is in this state">Clear the filter to see those in others.</EmptyState>
            )
          }
        />
      </Section>
      <UnmatchedCharges />
    </Page>
  );
}

const states = [
  ['unknown', 'Unknown'],
  ['pending', 'Accepted'],
  ['sending', 'Being sent'],
  ['ready', 'About to be sent'],
] as const;

const openChargeColumns: ReadonlyArray<Column<OpenCharge>> = [
  { title: 'Made', cell: ({ made_at: at }) => <Time at={at} /> },
  { title: 'Store', kind: 'name', cell: ({ store_id: id }) => <StoreLink id={id} /> },
  { title: 'Amount, USD', kind: 'number', cell: ({ amount_cents: cents }) => <strong>{formatDollars(cents)}</strong> },
  { title: 'State', cell: ({ state }) => <OpenChargeStatusChip state={state} /> },
  {
    title: 'What is known',
    cell: ({ message, called_at: called }) => (
      <>
        <span className={styles.error}>{message ?? 'nothing yet'}</span>
        {called !== null && (
          <div className={styles.muted}>
            Asked last <Time at={called} />
          </div>
        )}
      </>
    ),
  },
  { title: 'Change', kind: 'actions', cell: (charge) => <SettleChargeButton charge={charge} /> },
];

const stateTexts: StatusTexts<OpenCharge['state']> = {
  unknown: ['Unknown', 'wait', 'The provider did not answer. It may have charged or not; it is asked again.'],
  pending: ['Accepted', 'wait', 'The provider has it, and says later how it ended.'],
  sending: ['Being sent', 'wait', 'The provider is being called, or was when the service stopped.'],
  ready: ['About to be sent', 'neutral', 'It stands in the books, and no call was made yet.'],
};

function OpenChargeStatusChip({ state }: Pick<OpenCharge, 'state'>) {
  return <StatusChip texts={stateTexts} state={state} />;
}

type SettleChargeProps = { readonly charge: OpenCharge };

/** Records how a charge ended, after a check at the provider. The audit log names the operator. */
function SettleChargeButton({ charge }: SettleChargeProps) {
  const [opened, setOpened] = useState(false);
  if (charge.state === 'ready') return null;
  return (
    <>
      <Button variant="subtle" size="xs" aria-label={`Settle ${charge.id}`} onClick={() => setOpened(true)}>
        Settle
      </Button>
      <Dialog title={`How did ${formatUsd(charge.amount_cents)} end?`} opened={opened} onClose={() => setOpened(false)}>
        <SettleChargeForm charge={charge} close={() => setOpened(false)} />
      </Dialog>
    </>
  );
}

type ChargeOutcome = RequestBody<'/stores/{store}/charges/{charge}/settle', 'post'>['outcome'];

function SettleChargeForm({ charge, close }: SettleChargeProps & { readonly close: () => void }) {
  const [outcome, setOutcome] = useState<ChargeOutcome | ''>('');
  const client = useQueryClient();
  const send = async (values: Values, key: string) => {
    if (outcome === '') throw formError('Say what the list of the provider says: choose one of the three.');
    const provided = outcome === 'succeeded' ? { provider_id: values.text('provider_id') } : {};
    await api.post(
      apiPath('/stores/{store}/charges/{charge}/settle', { store: charge.store_id, charge: charge.id }),
      { outcome, note: values.text('note'), ...provided },
      key,
    );
  };
  const done = async () => {
    close();
    await client.invalidateQueries();
  };
  return (
    <Form
      send={send}
      done={done}
      submit="Say so"
      beside={
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
      }
    >
      <ProviderCheckSteps charge={charge} />
      <Radio.Group label="What its list says" value={outcome} onChange={setOutcome} required withAsterisk={false}>
        <div className={styles.choices}>
          <Radio value="succeeded" label="It succeeded" description="The invoice is paid, and its creators can be." />
          <Radio
            value="declined"
            label="It was declined"
            description="It counts as a failed charge: the other method is tried, or another day."
          />
          <Radio
            value="never_made"
            label="It is not there"
            description="The invoice is charged once more. Only sure after the time above."
          />
        </div>
      </Radio.Group>
      {outcome === 'succeeded' && (
        <TextField
          name="provider_id"
          label="Its name at the provider"
          description="Such as ch_… or pi_…; a refund or a dispute finds it by it."
          maxLength={200}
        />
      )}
      <TextField
        name="note"
        label="Where you saw it"
        description="Stands in the audit log beside your name; where it was declined, the store reads it."
        maxLength={200}
      />
    </Form>
  );
}

/** The checks before recording a result. */
const ProviderCheckSteps = ({ charge }: SettleChargeProps) => (
  <ol className={styles.steps}>
    <li>
      Open the list of payments at {charge.provider === 'stripe' ? 'Stripe' : 'the provider'} and look for{' '}
      <span className="mono">{charge.id}</span> <CopyIcon value={charge.id} label="the reference of the charge" />: it is the idempotency
      key, and stands with the payment. Its text is “{charge.description}”.
    </li>
    <li>
      Amount and day must be these: {formatUsd(charge.amount_cents)}, <Time at={charge.made_at} />
      {charge.provider_id !== null && (
        <>
          , under the name <span className="mono">{charge.provider_id}</span>
        </>
      )}
      .
    </li>
    <li>
      If it is not there: it is sent again under the same key for now. Only after <Time at={charge.surely_never_made_at} /> does a list
      without it prove that it was never made; until then that is refused.
    </li>
  </ol>
);
