import { Button, Radio } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { formatUsd } from '../../ui/format.ts';
import { CopyIcon } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { formError, Form, type Values } from '../../ui/form.tsx';
import { Time } from '../../ui/time.tsx';
import type { OpenCharge } from './operator-api.ts';
import styles from './operator.module.css';

type SettleChargeProps = { readonly charge: OpenCharge };

/** Records how a charge ended, after a check at the provider. The audit log names the operator. */
export function SettleChargeButton({ charge }: SettleChargeProps) {
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

function SettleChargeForm({ charge, close }: SettleChargeProps & { readonly close: () => void }) {
  const [outcome, setOutcome] = useState('');
  const client = useQueryClient();
  const send = async (values: Values, key: string) => {
    if (outcome === '') throw formError('Say what the list of the provider says: choose one of the three.');
    const provided = outcome === 'succeeded' ? { provider_id: values.text('provider_id') } : {};
    await api.post(`/stores/${charge.store_id}/charges/${charge.id}/settle`, { outcome, note: values.text('note'), ...provided }, key);
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
