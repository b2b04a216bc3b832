import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api.ts';
import { usd } from '../parts/amounts.ts';
import { ConfirmButton, Dialog } from '../parts/dialog.tsx';
import { CopyIcon } from '../parts/copy.tsx';
import { TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { reading } from '../parts/reading.ts';
import { useCreatorName } from './named.tsx';
import { Time } from '../parts/time.tsx';
import { isToldPaid, type OperatorsPayout, type Run } from './operator-api.ts';
import styles from './operator.module.css';

/** What a person can do about a payout where it stands. What a provider still has to say is the provider's to say. */
export function PayoutActions({ payout }: { readonly payout: OperatorsPayout }) {
  const { state, provider } = payout;
  if (state === 'awaiting_second')
    return (
      <>
        <Confirmations payout={payout} />
        {payout.you_may_confirm && <Confirm payout={payout} />}
        <Saying payout={payout} said={sayings.refuse} />
      </>
    );
  if (state === 'unknown' || (state === 'sending' && provider === 'manual'))
    return (
      <>
        <Saying payout={payout} said={sayings.paid} />
        <Saying payout={payout} said={sayings.failed} />
      </>
    );
  if (isToldPaid(payout)) return <Saying payout={payout} said={sayings.back} />;
  return state === 'paid' ? <Saying payout={payout} said={sayings.returned} /> : null;
}

type PartProps = { readonly payout: OperatorsPayout };

function Confirm({ payout }: PartProps) {
  const { id, creator_id: creator, amount_cents: cents } = payout;
  const client = useQueryClient();
  const name = useCreatorName(creator);
  const confirm = async () => {
    await api.post(`/payouts/${id}/confirm`);
    await client.invalidateQueries();
  };
  const title = `Confirm ${usd(cents)} to ${name}?`;
  return (
    <ConfirmButton
      label="Confirm"
      of={id}
      look="subtle"
      title={title}
      confirm={payout.confirmations_missing > 1 ? 'Confirm' : 'Confirm and send'}
      run={confirm}
    >
      <Begun payout={payout} />
      <p>
        {payout.confirmations_missing > 1
          ? 'Another person has to confirm it too before it is sent.'
          : 'It is sent as soon as you confirm it.'}{' '}
        You may be asked for your password.
      </p>
    </ConfirmButton>
  );
}

/** Who confirmed it, how many are missing, and why the reader cannot. */
function Confirmations({ payout }: PartProps) {
  const { confirmations, confirmations_needed: needed, confirmations_missing: missing, why_not: whyNot } = payout;
  return (
    <span className={styles.quiet}>
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

/** Whose work a second person confirms. What the calendar began has no run that somebody asked for. */
function Begun({ payout: { started_by: by, payout_run_id: run } }: PartProps) {
  const isCalendars = by === 'system';
  const found = useQuery({ ...reading<Run>(`/payout-runs/${run}`), enabled: !isCalendars });
  return <p>{isCalendars ? 'The calendar' : (found.data?.by_name ?? by)} started it.</p>;
}

const sayings = {
  refuse: {
    word: 'refuse',
    label: 'Refuse',
    field: 'reason',
    ask: 'Why',
    about: 'The creator is told. What it would have paid is free for the next payout.',
  },
  paid: {
    word: 'mark-paid',
    label: 'Mark paid',
    field: 'reference',
    ask: 'Reference',
    about: 'By which it is found at the bank; the creator sees it.',
  },
  failed: {
    word: 'mark-failed',
    label: 'Mark failed',
    field: 'reason',
    ask: 'Why',
    about: 'The creator is told. What it would have paid is free for the next payout.',
  },
  back: {
    word: 'mark-failed',
    label: 'Money is back',
    field: 'reason',
    ask: 'Why',
    about: 'It stays failed, and the creator is paid again by the next payout. Nobody is told; the audit log keeps it.',
  },
  returned: {
    word: 'mark-returned',
    label: 'Mark returned',
    field: 'reason',
    ask: 'Why',
    about: 'The money came back: the creator is told, and it waits until they have said once more where to pay.',
  },
} as const;

type SayingProps = PartProps & { readonly said: (typeof sayings)[keyof typeof sayings] };

/** Saying how a payout ended, with what belongs to it. */
function Saying({ payout, said }: SayingProps) {
  const { id, creator_id: creator, amount_cents: cents, state } = payout;
  const name = useCreatorName(creator);
  const [opened, setOpened] = useState(false);
  const client = useQueryClient();
  const { word, label, field, ask, about } = said;
  const done = async () => {
    setOpened(false);
    await client.invalidateQueries();
  };
  return (
    <>
      <Button
        variant="subtle"
        size="xs"
        color={field === 'reason' ? 'red' : 'river'}
        aria-label={`${label} ${id}`}
        onClick={() => setOpened(true)}
      >
        {label}
      </Button>
      <Dialog title={`${label}: ${usd(cents)} to ${name}`} opened={opened} onClose={() => setOpened(false)}>
        <Form
          send={(values, key) => api.post(`/payouts/${id}/${word}`, { [field]: values.text(field) }, key)}
          done={done}
          submit={label}
          beside={
            <Button variant="default" onClick={() => setOpened(false)}>
              Cancel
            </Button>
          }
        >
          {state === 'unknown' && <LookFirst payout={payout} />}
          <TextField name={field} label={ask} description={about} maxLength={field === 'reason' ? 500 : 200} data-autofocus />
        </Form>
      </Dialog>
    </>
  );
}

/** What to check before anything is said of a payout that was not answered. */
const LookFirst = ({ payout: { id, provider, amount_cents: cents, made_at: made } }: PartProps) => (
  <ol className={styles.steps}>
    <li>
      Open the list of {provider === 'stripe' ? 'transfers at Stripe' : 'payouts at the provider'} and look for{' '}
      <span className="mono">{id}</span> <CopyIcon value={id} label="the reference of the payout" />: it is the idempotency key, and stands
      with the transfer.
    </li>
    <li>
      Amount and day must be these: {usd(cents)}, <Time at={made} />.
    </li>
    <li>
      If it is not there: it is sent again under the same key for some hours. Until that is over a list without it proves nothing, and
      “failed” is refused, with the time from which on it is not.
    </li>
  </ol>
);
