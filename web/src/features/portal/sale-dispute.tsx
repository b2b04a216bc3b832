import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Page } from '../../api/client.ts';
import { DrawerSection } from '../../ui/drawer.tsx';
import { TextAreaField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { apiQuery, refresh } from '../../ui/queries.ts';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { formatDay } from '../../ui/time.tsx';
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

const disputesRead = 200;
/** The service accepts no further dispute about a sale after three declined ones. */
const declinedMax = 3;
const textLengthMax = 2_000;

/** Lets a creator dispute a rejection and read the store's answer. */
export function SaleDispute({ sale }: { readonly sale: Sale }) {
  const path = `/creators/${useCreatorId()}/disputes`;
  const client = useQueryClient();
  const [hasSubmitted, setHasSubmitted] = useState(false);
  const found = useQuery(apiQuery<Page<Dispute>>(`${path}?store_id=${sale.store_id}&limit=${disputesRead}`));
  const disputes = (found.data?.data ?? []).filter(({ commission_id: id }) => id === sale.id);
  const [dispute] = disputes;
  if (found.isPending) return <LoadingSkeleton lines={1} />;
  if (found.isError) return <ErrorAlert error={found.error} onRetry={() => void found.refetch()} />;
  const canDispute = sale.state === 'rejected' && dispute?.state !== 'open';
  const isLimitReached = disputes.filter(({ state }) => state === 'declined').length >= declinedMax;
  return (
    <>
      {dispute !== undefined && <OpenedDispute dispute={dispute} store={sale.store_name} isFresh={hasSubmitted} />}
      {canDispute && isLimitReached && (
        <p>The shop answered this one three times. If you still see it otherwise, write to whoever runs this service.</p>
      )}
      {canDispute && !isLimitReached && (
        <DrawerSection title={dispute === undefined ? 'You see it otherwise?' : 'You still see it otherwise?'}>
          <Form
            send={(values, key) => api.post(path, { store_id: sale.store_id, commission_id: sale.id, text: values.text('text') }, key)}
            done={() => {
              setHasSubmitted(true);
              return refresh(client, path);
            }}
            submit="Object"
          >
            <TextAreaField
              name="text"
              label="Why it is wrong"
              description={`${sale.store_name} reads it, and answers.`}
              maxLength={textLengthMax}
            />
          </Form>
        </DrawerSection>
      )}
    </>
  );
}

type OpenedDisputeProps = {
  readonly dispute: Dispute;
  readonly store: string;
  /** Just submitted: it replaces the form and takes over its focus. */
  readonly isFresh: boolean;
};

function OpenedDispute({ dispute: { id, state, text, opened_at: at, note }, store, isFresh }: OpenedDisputeProps) {
  return (
    <DrawerSection title={`You objected on ${formatDay(at)}`}>
      <p key={id} className={`${styles.quiet} ${styles.words}`} tabIndex={-1} ref={isFresh ? takeFocus : null}>
        {text}
      </p>
      <p>{answerTexts[state].replace('The shop', () => store)}</p>
      {note !== null && note !== '' && <p className={styles.words}>{note}</p>}
    </DrawerSection>
  );
}

const takeFocus = (part: HTMLElement | null): void => part?.focus();

const answerTexts: Readonly<Record<Dispute['state'], string>> = {
  open: 'The shop has not answered yet.',
  accepted: 'The shop agreed with you, and decides on the sale anew.',
  declined: 'The shop looked at it again, and stays with its decision.',
};
