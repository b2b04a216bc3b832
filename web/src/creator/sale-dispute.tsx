import { useQuery, useQueryClient } from '@tanstack/react-query';
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
const wordsLengthMax = 2_000;

/** What a creator may do about a refusal: say why it is wrong, and read what the shop answers. */
export function SaleDispute({ sale }: { readonly sale: Sale }) {
  const path = `/creators/${useCreatorId()}/disputes`;
  const client = useQueryClient();
  const found = useQuery(reading<Page<Dispute>>(`${path}?store_id=${sale.store_id}&limit=${lookedAt}`));
  const dispute = found.data?.data.find(({ commission_id: id }) => id === sale.id);
  if (found.isPending) return <Waiting lines={1} />;
  if (found.isError) return <ProblemNote problem={found.error} onRetry={() => void found.refetch()} />;
  const mayObject = sale.state === 'rejected' && dispute?.state !== 'open';
  return (
    <>
      {dispute !== undefined && <Told dispute={dispute} store={sale.store_name} />}
      {mayObject && (
        <DrawerPart title={dispute === undefined ? 'You see it otherwise?' : 'You still see it otherwise?'}>
          <Form
            send={(values, key) => api.post(path, { store_id: sale.store_id, commission_id: sale.id, text: values.text('text') }, key)}
            done={() => refresh(client, path)}
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

function Told({ dispute: { state, text, opened_at: at, note }, store }: { readonly dispute: Dispute; readonly store: string }) {
  return (
    <DrawerPart title={`You objected on ${localDay(at)}`}>
      <p className={styles.quiet}>{text}</p>
      <p>{answerWords[state].replace('The shop', store)}</p>
      {note !== null && note !== '' && <p>{note}</p>}
    </DrawerPart>
  );
}

const answerWords: Readonly<Record<Dispute['state'], string>> = {
  open: 'The shop has not answered yet.',
  accepted: 'The shop agreed with you, and decides on the sale anew.',
  declined: 'The shop looked at it again, and stays with its decision.',
};
