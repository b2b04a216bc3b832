import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { Commission, Dispute } from '../../api/api-schema.ts';
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

const noteLengthMax = 2_000;
type DisputeCardProps = { readonly store: string; readonly dispute: Dispute; readonly mayDecide: boolean };

/** The creator's text, the commission it is about, and the answer or the buttons to give one. */
export function DisputeCard({ store, dispute, mayDecide }: DisputeCardProps) {
  const found = useQuery(apiQuery(apiPath('/stores/{store}/commissions/{commission}', { store, commission: dispute.commission_id })));
  if (found.isPending) return <LoadingSkeleton lines={2} />;
  if (found.isError) return <ErrorAlert error={found.error} onRetry={() => void found.refetch()} />;
  const name = found.data.creator_name;
  return (
    <article className={styles.dispute} aria-label={`${name} about ${subjectOf(found.data)}`}>
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
          Answered by {dispute.decided_by_name ?? 'somebody'}
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
        <span className="number">{formatDollars(commission.amount_cents)} USD</span>
        <DisputeStatusChip state={dispute.state} />
      </p>
      <p className={styles.muted}>
        Objected <Time at={dispute.opened_at} />.
        {commission.rejected_reason !== null && ` You had rejected it: ${commission.rejected_reason}`}
      </p>
    </header>
  );
}

const stateTexts: StatusTexts<Dispute['state']> = {
  open: ['Open', 'wait', 'The creator waits for your answer.'],
  accepted: ['Accepted', 'good', 'You agreed: the conversion was decided on anew.'],
  declined: ['Declined', 'neutral', 'You stayed with the rejection, and the creator read why.'],
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
    verb: 'Accept',
    title: 'Accept this dispute?',
    text: 'The conversion is pending again, with what it earns. Approve it then, or reject it for another reason.',
    note: 'The creator reads it in the mail about your answer.',
  },
  decline: {
    verb: 'Decline',
    title: 'Decline this dispute?',
    text: 'The rejection stays. The creator may object again, three times in all.',
    note: 'The creator reads it: say what they could not know.',
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
        aria-label={`${verb} the dispute of ${name}`}
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
              Cancel
            </Button>
          }
        >
          <p className={dialog.text}>{text}</p>
          <TextAreaField
            name="note"
            label={`Note to ${name}`}
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
