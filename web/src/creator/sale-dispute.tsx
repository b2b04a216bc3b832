import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Page } from '../api.ts';
import { DrawerPart } from '../parts/drawer.tsx';
import { TextAreaField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { reading, refresh } from '../parts/reading.ts';
import { Waiting } from '../parts/table.tsx';
import { localDay } from '../parts/time.tsx';
import { useCreatorId } from './creator-api.ts';
import styles from './creator.module.css';
import type { Sale } from './sales-api.ts';

type Dispute = {
  readonly id: string;
  readonly commission_id: string;
  readonly text: string;
  readonly opened_at: string;
  readonly state: 'open' | 'accepted' | 'declined';
  readonly note: string | null;
};

const lookedAt = 200;
/** After so many answers the service takes no further objection to the same sale. */
const declinedMax = 3;
const wordsLengthMax = 2_000;

/** What a creator may do about a refusal: say why it is wrong, and read what the shop answers. */
export function SaleDispute({ sale }: { readonly sale: Sale }) {
  const path = `/creators/${useCreatorId()}/disputes`;
  const client = useQueryClient();
  const [hasObjected, setHasObjected] = useState(false);
  const found = useQuery(reading<Page<Dispute>>(`${path}?store_id=${sale.store_id}&limit=${lookedAt}`));
  const disputes = (found.data?.data ?? []).filter(({ commission_id: id }) => id === sale.id);
  const [dispute] = disputes;
  if (found.isPending) return <Waiting lines={1} />;
  if (found.isError) return <ProblemNote problem={found.error} onRetry={() => void found.refetch()} />;
  const isOpenToObject = sale.state === 'rejected' && dispute?.state !== 'open';
  const isAnsweredOut = disputes.filter(({ state }) => state === 'declined').length >= declinedMax;
  return (
    <>
      {dispute !== undefined && <Told dispute={dispute} store={sale.store_name} isFresh={hasObjected} />}
      {isOpenToObject && isAnsweredOut && (
        <p>The shop answered this one three times. If you still see it otherwise, write to whoever runs this service.</p>
      )}
      {isOpenToObject && !isAnsweredOut && (
        <DrawerPart title={dispute === undefined ? 'You see it otherwise?' : 'You still see it otherwise?'}>
          <Form
            send={(values, key) => api.post(path, { store_id: sale.store_id, commission_id: sale.id, text: values.text('text') }, key)}
            done={() => {
              setHasObjected(true);
              return refresh(client, path);
            }}
            submit="Object"
          >
            <TextAreaField
              name="text"
              label="Why it is wrong"
              description={`${sale.store_name} reads it, and answers.`}
              maxLength={wordsLengthMax}
            />
          </Form>
        </DrawerPart>
      )}
    </>
  );
}

type ToldProps = {
  readonly dispute: Dispute;
  readonly store: string;
  /** Just sent: it stands where the form was, and takes the focus that the form had. */
  readonly isFresh: boolean;
};

function Told({ dispute: { id, state, text, opened_at: at, note }, store, isFresh }: ToldProps) {
  return (
    <DrawerPart title={`You objected on ${localDay(at)}`}>
      <p key={id} className={`${styles.quiet} ${styles.words}`} tabIndex={-1} ref={isFresh ? takeFocus : null}>
        {text}
      </p>
      <p>{answerWords[state].replace('The shop', () => store)}</p>
      {note !== null && note !== '' && <p className={styles.words}>{note}</p>}
    </DrawerPart>
  );
}

const takeFocus = (part: HTMLElement | null): void => part?.focus();

const answerWords: Readonly<Record<Dispute['state'], string>> = {
  open: 'The shop has not answered yet.',
  accepted: 'The shop agreed with you, and decides on the sale anew.',
  declined: 'The shop looked at it again, and stays with its decision.',
};
