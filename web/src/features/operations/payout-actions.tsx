import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { OperatorPayout } from '../../api/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { formatUsd } from '../../ui/format.ts';
import { ConfirmButton, Dialog } from '../../ui/dialog.tsx';
import { CopyIcon } from '../../ui/copy.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { useCreatorName } from './entity-links.tsx';
import { Time } from '../../ui/time.tsx';
import { isReportedPaid } from './operator-api.ts';
import styles from './operator.module.css';

/** The actions a person can take in the payout's state. A result that the provider still owes comes from the provider. */
export function PayoutActions({ payout }: { readonly payout: OperatorPayout }) {
  const { state, provider } = payout;
  if (state === 'awaiting_second')
    return (
      <>
        <Confirmations payout={payout} />
        {payout.you_may_confirm && <ConfirmPayoutButton payout={payout} />}
        <OutcomeButton payout={payout} outcome={outcomes.refuse} />
      </>
    );
  if (state === 'unknown' || (state === 'sending' && provider === 'manual'))
    return (
      <>
        <OutcomeButton payout={payout} outcome={outcomes.paid} />
        <OutcomeButton payout={payout} outcome={outcomes.failed} />
      </>
    );
  if (isReportedPaid(payout)) return <OutcomeButton payout={payout} outcome={outcomes.back} />;
  return state === 'paid' ? <OutcomeButton payout={payout} outcome={outcomes.returned} /> : null;
}

type PayoutProps = { readonly payout: OperatorPayout };

function ConfirmPayoutButton({ payout }: PayoutProps) {
  const { id, creator_id: creator, amount_cents: cents } = payout;
  const client = useQueryClient();
  const name = useCreatorName(creator);
  const confirm = async () => {
    await api.post(apiPath('/payouts/{payout}/confirm', { payout: id }));
    await client.invalidateQueries();
  };
  const title = `Confirm ${formatUsd(cents)} to ${name}?`;
  return (
    <ConfirmButton
      label="Confirm"
      subject={id}
      variant="subtle"
      title={title}
      confirm={payout.confirmations_missing > 1 ? 'Confirm' : 'Confirm and send'}
      run={confirm}
    >
      <StartedBy payout={payout} />
      <p>
        {payout.confirmations_missing > 1
          ? 'Another person has to confirm it too before it is sent.'
          : 'It is sent as soon as you confirm it.'}{' '}
        You may be asked for your password.
      </p>
    </ConfirmButton>
  );
}

/** Who confirmed, how many confirmations are missing, and why the reader cannot confirm. */
function Confirmations({ payout }: PayoutProps) {
  const { confirmations, confirmations_needed: needed, confirmations_missing: missing, why_not: whyNot } = payout;
  return (
    <span className={styles.muted}>
      {needed - missing} of {needed} confirmed
      {confirmations.map(({ user_id: id, name, at, counts, why_not: why }) => (
        <span key={id}>
          {' '}
          · {name}, <Time at={at} />
          {!counts && ` (does not count: ${why})`}
        </span>
      ))}
      {whyNot !== null && <span> · {whyNot}</span>}
    </span>
  );
}

/** Who started the payout that a second person confirms. Scheduled payouts have no starting person. */
function StartedBy({ payout: { started_by: by, payout_run_id: run } }: PayoutProps) {
  const isScheduled = by === 'system';
  const found = useQuery({ ...apiQuery(apiPath('/payout-runs/{run}', { run })), enabled: !isScheduled });
  return <p>{isScheduled ? 'The calendar' : (found.data?.by_name ?? by)} started it.</p>;
}

const outcomes = {
  refuse: {
    record: (payout: string, text: string, key: string) => api.post(apiPath('/payouts/{payout}/refuse', { payout }), { reason: text }, key),
    label: 'Refuse',
    field: 'reason',
    ask: 'Why',
    about: 'The creator is told. What it would have paid is free for the next payout.',
  },
  paid: {
    record: (payout: string, text: string, key: string) =>
      api.post(apiPath('/payouts/{payout}/mark-paid', { payout }), { reference: text }, key),
    label: 'Mark paid',
    field: 'reference',
    ask: 'Reference',
    about: 'By which it is found at the bank; the creator sees it.',
  },
  failed: {
    record: (payout: string, text: string, key: string) =>
      api.post(apiPath('/payouts/{payout}/mark-failed', { payout }), { reason: text }, key),
    label: 'Mark failed',
    field: 'reason',
    ask: 'Why',
    about: 'The creator is told. What it would have paid is free for the next payout.',
  },
  back: {
    record: (payout: string, text: string, key: string) =>
      api.post(apiPath('/payouts/{payout}/mark-failed', { payout }), { reason: text }, key),
    label: 'Money is back',
    field: 'reason',
    ask: 'Why',
    about: 'It stays failed, and the creator is paid again by the next payout. Nobody is told; the audit log keeps it.',
  },
  returned: {
    record: (payout: string, text: string, key: string) =>
      api.post(apiPath('/payouts/{payout}/mark-returned', { payout }), { reason: text }, key),
    label: 'Mark returned',
    field: 'reason',
    ask: 'Why',
    about: 'The money came back: the creator is told, and it waits until they have said once more where to pay.',
  },
} as const;

type OutcomeButtonProps = PayoutProps & { readonly outcome: (typeof outcomes)[keyof typeof outcomes] };

/** Records how a payout ended, with its reference or reason. */
function OutcomeButton({ payout, outcome }: OutcomeButtonProps) {
  const { id, creator_id: creator, amount_cents: cents, state } = payout;
  const name = useCreatorName(creator);
  const [opened, setOpened] = useState(false);
  const client = useQueryClient();
  const { record, label, field, ask, about } = outcome;
  const done = async () => {
    setOpened(false);
    await client.invalidateQueries();
  };
  return (
    <>
      <Button
        variant="subtle"
        size="xs"
        color={field === 'reason' ? 'red' : 'accent'}
        aria-label={`${label} ${id}`}
        onClick={() => setOpened(true)}
      >
        {label}
      </Button>
      <Dialog title={`${label}: ${formatUsd(cents)} to ${name}`} opened={opened} onClose={() => setOpened(false)}>
        <Form
          send={(values, key) => record(id, values.text(field), key)}
          done={done}
          submit={label}
          beside={
            <Button variant="default" onClick={() => setOpened(false)}>
              Cancel
            </Button>
          }
        >
          {state === 'unknown' && <ProviderCheckSteps payout={payout} />}
          <TextField name={field} label={ask} description={about} maxLength={field === 'reason' ? 500 : 200} data-autofocus />
        </Form>
      </Dialog>
    </>
  );
}

/** The checks before recording the result of an unanswered payout. */
const ProviderCheckSteps = ({ payout: { id, provider, amount_cents: cents, made_at: made } }: PayoutProps) => (
  <ol className={styles.steps}>
    <li>
      Open the list of {provider === 'stripe' ? 'transfers at Stripe' : 'payouts at the provider'} and look for{' '}
      <span className="mono">{id}</span> <CopyIcon value={id} label="the reference of the payout" />: it is the idempotency key, and stands
      with the transfer.
    </li>
    <li>
      Amount and day must be these: {formatUsd(cents)}, <Time at={made} />.
    </li>
    <li>
      If it is not there: it is sent again under the same key for some hours. Until that is over a list without it proves nothing, and
      “failed” is refused, with the time from which on it is not.
    </li>
  </ol>
);
