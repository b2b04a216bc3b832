import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api.ts';
import { dollarsOf } from '../parts/amounts.ts';
import { Chip } from '../parts/chip.tsx';
import { Dialog } from '../parts/dialog.tsx';
import dialog from '../parts/dialog.module.css';
import { TextAreaField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { TextLink } from '../parts/links.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { reading, refresh } from '../parts/reading.ts';
import { Waiting } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { commissionsPath, subjectOf, type Commission } from './commissions-api.ts';
import { disputesPath, type Dispute } from './disputes-api.ts';
import styles from './disputes.module.css';
import { storePath } from './stores-api.ts';

const noteLengthMax = 2_000;
type DisputeCardProps = { readonly store: string; readonly dispute: Dispute; readonly mayDecide: boolean };

/** The creator's words, what they are about, and the answer: given, or still to give. */
export function DisputeCard({ store, dispute, mayDecide }: DisputeCardProps) {
  const found = useQuery(reading<Commission>(`${commissionsPath(store)}/${dispute.commission_id}`));
  if (found.isPending) return <Waiting lines={2} />;
  if (found.isError) return <ProblemNote problem={found.error} onRetry={() => void found.refetch()} />;
  const name = found.data.creator_name;
  return (
    <article className={styles.dispute} aria-label={`${name} about ${subjectOf(found.data)}`}>
      <About store={store} dispute={dispute} commission={found.data} />
      <blockquote className={styles.words}>{dispute.text}</blockquote>
      {dispute.state === 'open' ? (
        mayDecide && (
          <div className={styles.buttons}>
            <Answer store={store} dispute={dispute} name={name} end="accept" />
            <Answer store={store} dispute={dispute} name={name} end="decline" />
          </div>
        )
      ) : (
        <p className={styles.quiet}>
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

function About({ store, dispute, commission }: { readonly store: string; readonly dispute: Dispute; readonly commission: Commission }) {
  return (
    <header>
      <p className={styles.about}>
        <strong>{commission.creator_name}</strong>
        <TextLink to="/stores/$store/conversions" params={{ store }} search={{ open: commission.id }}>
          {subjectOf(commission)}
        </TextLink>
        <span className="number">{dollarsOf(commission.amount_cents)} USD</span>
        <DisputeChip state={dispute.state} />
      </p>
      <p className={styles.quiet}>
        Objected <Time at={dispute.opened_at} />.
        {commission.rejected_reason !== null && ` You had rejected it: ${commission.rejected_reason}`}
      </p>
    </header>
  );
}

function DisputeChip({ state }: Pick<Dispute, 'state'>) {
  switch (state) {
    case 'open':
      return <Chip word="Open" tone="wait" meaning="The creator waits for your answer." />;
    case 'accepted':
      return <Chip word="Accepted" tone="good" meaning="You agreed: the conversion was decided on anew." />;
    case 'declined':
      return <Chip word="Declined" tone="calm" meaning="You stayed with the rejection, and the creator read why." />;
  }
}

type AnswerProps = { readonly store: string; readonly dispute: Dispute; readonly name: string; readonly end: 'accept' | 'decline' };

const ends = {
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

function Answer({ store, dispute, name, end }: AnswerProps) {
  const [opened, setOpened] = useState(false);
  const client = useQueryClient();
  const { verb, title, text, note } = ends[end];
  const done = async () => {
    setOpened(false);
    await refresh(client, storePath(store));
  };
  return (
    <>
      <Button
        variant={end === 'accept' ? 'filled' : 'default'}
        size="xs"
        aria-label={`${verb} the dispute of ${name}`}
        onClick={() => setOpened(true)}
      >
        {verb}
      </Button>
      <Dialog title={title} opened={opened} onClose={() => setOpened(false)}>
        <Form
          send={(values, key) => api.post(`${disputesPath(store)}/${dispute.id}/${end}`, bodyOf(end, values.text('note')), key)}
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
            optional={end === 'accept'}
            data-autofocus
          />
        </Form>
      </Dialog>
    </>
  );
}

const bodyOf = (end: AnswerProps['end'], note: string) => ({ note: end === 'accept' ? note || null : note });
