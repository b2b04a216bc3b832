import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from '../../ui/button.tsx';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { Commission, Dispute } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { formatDollars } from '../../ui/format.ts';
import { StatusChip, type StatusTexts } from '../../ui/chip.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import dialog from '../../ui/dialog.module.css';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import { Form } from '../../ui/form.tsx';
import { TextLink } from '../../ui/links.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { apiQuery, refresh } from '../../ui/queries.ts';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { subjectOf } from '../conversions/commissions-api.ts';
import styles from './disputes.module.css';
import { storePath } from '../stores/stores-api.ts';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

const noteLengthMax = 2_000;
type DisputeCardProps = { readonly store: string; readonly dispute: Dispute; readonly mayDecide: boolean };

/** The creator's text, the commission it is about, and the answer or the buttons to give one. */
export function DisputeCard({ store, dispute, mayDecide }: DisputeCardProps) {
  const found = useQuery(apiQuery(apiPath('/stores/{store}/commissions/{commission}', { store, commission: dispute.commission_id })));
  if (found.isPending) return <LoadingSkeleton lines={2} />;
  if (found.isError) return <ErrorAlert error={found.error} onRetry={() => void found.refetch()} />;
  const name = found.data.creator_name;
  return (
    <article className={styles.dispute} aria-label={t.dispute_card.about({ name, data: subjectOf(found.data) })}>
      <DisputeHeader store={store} dispute={dispute} commission={found.data} />
      <blockquote className={styles.text}>{dispute.text}</blockquote>
      {dispute.state === 'open' ? (
        mayDecide && (
          <div className={styles.buttons}>
            <AnswerButton store={store} dispute={dispute} name={name} answer="accept" />
            <AnswerButton store={store} dispute={dispute} name={name} answer="decline" />
          </div>
        )
      ) : (
        <p className={styles.muted}>
          {t.dispute_card.response_by} {dispute.decided_by_name ?? t.dispute_card.removed_person}
          {dispute.decided_at !== null && (
            <>
              , <Time at={dispute.decided_at} />
            </>
          )}
          {dispute.note !== null && dispute.note !== '' && <>: “{dispute.note}”</>}
        </p>
      )}
    </article>
  );
}

function DisputeHeader({
  store,
  dispute,
  commission,
}: {
  readonly store: string;
  readonly dispute: Dispute;
  readonly commission: Commission;
}) {
  return (
    <header>
      <p className={styles.about}>
        <strong>{commission.creator_name}</strong>
        <TextLink to="/stores/$store/conversions" params={{ store }} search={{ open: commission.id }}>
          {subjectOf(commission)}
        </TextLink>
        <span className="number">{t.dispute_card.usd({ amountCents: formatDollars(commission.amount_cents) })}</span>
        <DisputeStatusChip state={dispute.state} />
      </p>
      <p className={styles.muted}>
        {rich(t.dispute_card.opened, { time: <Time at={dispute.opened_at} /> })}{' '}
        {commission.rejected_reason !== null && t.dispute_card.you_rejected_the_commission({ reason: commission.rejected_reason })}
      </p>
    </header>
  );
}

const stateTexts: StatusTexts<Dispute['state']> = {
  open: [t.dispute_card.open, 'wait', t.dispute_card.the_creator_is_waiting_for],
  accepted: [t.dispute_card.accepted, 'good', t.dispute_card.you_agreed_and_the_conversion],
  declined: [t.dispute_card.declined, 'neutral', t.dispute_card.you_upheld_the_rejection_and],
};

function DisputeStatusChip({ state }: Pick<Dispute, 'state'>) {
  return <StatusChip texts={stateTexts} state={state} />;
}

type AnswerButtonProps = {
  readonly store: string;
  readonly dispute: Dispute;
  readonly name: string;
  readonly answer: 'accept' | 'decline';
};

const answerTexts = {
  accept: {
    verb: t.dispute_card.accept,
    title: t.dispute_card.accept_this_dispute,
    text: t.dispute_card.the_conversion_becomes_pending_aga,
    note: t.dispute_card.the_creator_sees_this_note,
  },
  decline: {
    verb: t.dispute_card.decline,
    title: t.dispute_card.decline_this_dispute,
    text: t.dispute_card.the_rejection_stays_the_creator,
    note: t.dispute_card.the_creator_sees_this_note_2,
  },
} as const;

function AnswerButton({ store, dispute, name, answer }: AnswerButtonProps) {
  const [opened, setOpened] = useState(false);
  const client = useQueryClient();
  const { verb, title, text, note } = answerTexts[answer];
  const done = async () => {
    setOpened(false);
    await refresh(client, storePath(store));
  };
  return (
    <>
      <Button
        variant={answer === 'accept' ? 'filled' : 'default'}
        size="xs"
        aria-label={t.dispute_card.the_dispute_of({ verb, name })}
        onClick={() => setOpened(true)}
      >
        {verb}
      </Button>
      <Dialog title={title} opened={opened} onClose={() => setOpened(false)}>
        <Form
          send={(values, key) =>
            api.post(
              apiPath(`/stores/{store}/disputes/{dispute}/${answer}`, { store, dispute: dispute.id }),
              answerBody(answer, values.text('note')),
              key,
            )
          }
          done={done}
          submit={verb}
          beside={
            <Button variant="default" onClick={() => setOpened(false)}>
              {t.dispute_card.cancel}
            </Button>
          }
        >
          <p className={dialog.text}>{text}</p>
          <TextAreaField
            name="note"
            label={t.dispute_card.note_to({ name })}
            description={note}
            maxLength={noteLengthMax}
            optional={answer === 'accept'}
            data-autofocus
          />
        </Form>
      </Dialog>
    </>
  );
}

const answerBody = (end: AnswerButtonProps['answer'], note: string) => ({ note: end === 'accept' ? note || null : note });
