import { Button } from '../../ui/button.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { OperatorPayout } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { ConfirmButton, Dialog } from '../../ui/dialog.tsx';
import { CopyIcon } from '../../ui/copy.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { useCreatorName } from './entity-links.tsx';
import { Time } from '../../ui/time.tsx';
import { isReportedPaid } from './operator-api.ts';
import styles from './operator.module.css';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

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
  const title = t.payout_actions.confirm_to({ cents, name });
  return (
    <ConfirmButton
      label={t.payout_actions.confirm}
      subject={t.payout_actions.amount_to({ cents, name })}
      variant="subtle"
      title={title}
      confirm={payout.confirmations_missing > 1 ? t.payout_actions.confirm : t.payout_actions.confirm_and_send}
      run={confirm}
    >
      <StartedBy payout={payout} />
      <p>
        {payout.confirmations_missing > 1 ? t.payout_actions.another_person_must_confirm_it : t.payout_actions.it_is_sent_when_you}{' '}
        {t.payout_actions.you_may_be_asked_for}
      </p>
    </ConfirmButton>
  );
}

/** Who confirmed, how many confirmations are missing, and why the reader cannot confirm. */
function Confirmations({ payout }: PayoutProps) {
  const { confirmations, confirmations_needed: needed, confirmations_missing: missing, why_not: whyNot } = payout;
  return (
    <span className={styles.muted}>
      {t.payout_actions.of_confirmed({ given: needed - missing, needed })}
      {confirmations.map(({ user_id: id, name, at, counts, why_not: why }) => (
        <span key={id}>
          {' '}
          · {name}, <Time at={at} />
          {!counts && t.payout_actions.does_not_count({ why: why ?? '' })}
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
  return (
    <p>
      {isScheduled ? t.payout_actions.the_schedule : (found.data?.by_name ?? by)} {t.payout_actions.started_it}
    </p>
  );
}

const outcomes = {
  refuse: {
    record: (payout: string, text: string, key: string) => api.post(apiPath('/payouts/{payout}/refuse', { payout }), { reason: text }, key),
    label: t.payout_actions.reject,
    field: 'reason',
    ask: t.payout_actions.reason,
    about: t.payout_actions.the_creator_gets_an_email,
  },
  paid: {
    record: (payout: string, text: string, key: string) =>
      api.post(apiPath('/payouts/{payout}/mark-paid', { payout }), { reference: text }, key),
    label: t.payout_actions.mark_paid,
    field: 'reference',
    ask: t.payout_actions.reference,
    about: t.payout_actions.to_find_the_transfer_at,
  },
  failed: {
    record: (payout: string, text: string, key: string) =>
      api.post(apiPath('/payouts/{payout}/mark-failed', { payout }), { reason: text }, key),
    label: t.payout_actions.mark_failed,
    field: 'reason',
    ask: t.payout_actions.reason,
    about: t.payout_actions.the_creator_gets_an_email,
  },
  back: {
    record: (payout: string, text: string, key: string) =>
      api.post(apiPath('/payouts/{payout}/mark-failed', { payout }), { reason: text }, key),
    label: t.payout_actions.money_returned,
    field: 'reason',
    ask: t.payout_actions.reason,
    about: t.payout_actions.it_stays_failed_and_the,
  },
  returned: {
    record: (payout: string, text: string, key: string) =>
      api.post(apiPath('/payouts/{payout}/mark-returned', { payout }), { reason: text }, key),
    label: t.payout_actions.mark_returned,
    field: 'reason',
    ask: t.payout_actions.reason,
    about: t.payout_actions.the_money_came_back_the,
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
  const title = t.payout_actions.to({ label, cents, name });
  const done = async () => {
    setOpened(false);
    await client.invalidateQueries();
  };
  return (
    <>
      <Button variant="subtle" size="xs" color={field === 'reason' ? 'red' : 'accent'} aria-label={title} onClick={() => setOpened(true)}>
        {label}
      </Button>
      <Dialog title={title} opened={opened} onClose={() => setOpened(false)}>
        <Form
          send={(values, key) => record(id, values.text(field), key)}
          done={done}
          submit={label}
          beside={
            <Button variant="default" onClick={() => setOpened(false)}>
              {t.payout_actions.cancel}
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
      {t.payout_actions.open_the_list_of}{' '}
      {provider === 'stripe' ? t.payout_actions.transfers_at_stripe : t.payout_actions.payouts_at_the_provider}{' '}
      {t.payout_actions.and_look_for} <span className="mono">{id}</span>{' '}
      <CopyIcon value={id} label={t.payout_actions.the_reference_of_the_payout} />
      {t.payout_actions.the_idempotency_key_of_the}
    </li>
    <li>{rich(t.payout_actions.amount_and_day_must_match({ cents }), { time: <Time at={made} /> })}</li>
    <li>{t.payout_actions.if_it_is_missing_the}</li>
  </ol>
);
