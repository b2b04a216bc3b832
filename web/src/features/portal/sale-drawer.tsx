import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { Sale, Dispute } from '../../api/api-schema.ts';
import { apiPath, withQuery } from '../../api/operations.ts';
import { DescriptionList } from '../../ui/description-list.tsx';
import { Drawer, DrawerSection } from '../../ui/drawer.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import { Form } from '../../ui/form.tsx';
import { formatDollars } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { apiQuery, noId, refresh } from '../../ui/queries.ts';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { Time, formatDay } from '../../ui/time.tsx';
import { useCreatorId } from './creator-api.ts';
import styles from './creator.module.css';
import { paymentDateText, paymentStepText, paymentStatusText, SaleStatusChips } from './sale-status.tsx';
import { saleName, salePath } from './sales-api.ts';

type SaleDrawerProps = {
  readonly creator: string;
  readonly id: string | undefined;
  /** The row of the list, when the list contains it. */
  readonly listed: Sale | undefined;
  readonly close: () => void;
};

/** The details of one sale: why it earns what it earns, and the steps until it is paid. */
export function SaleDrawer({ creator, id, listed, close }: SaleDrawerProps) {
  const found = useQuery({
    ...apiQuery(salePath(creator, id ?? noId)),
    enabled: id !== undefined,
    ...(listed !== undefined && { placeholderData: listed }),
  });
  return (
    <Drawer title={found.data === undefined ? 'Sale' : saleName(found.data)} opened={id !== undefined} onClose={close}>
      <QueryView query={found}>{(data) => <SaleDetails sale={data} />}</QueryView>
    </Drawer>
  );
}

function SaleDetails({ sale }: { readonly sale: Sale }) {
  const { pay } = sale;
  return (
    <>
      <DescriptionList
        items={[
          [
            'State',
            <span key="s" className={styles.chips}>
              <SaleStatusChips sale={sale} />
            </span>,
          ],
          [pay.word === 'nothing' ? 'Would have earned' : 'Earns', <strong key="a">{formatDollars(sale.amount_cents)} USD</strong>],
          ['Of', `${formatDollars(sale.eligible_cents)} USD`],
          ['Shop', `${sale.store_name}, ${sale.program_name}`],
          ['Sold', <Time key="d" at={sale.occurred_at} />],
          ...(sale.sub_id === null ? [] : [['Your sub', sale.sub_id] as const]),
        ]}
      />
      <DrawerSection title={pay.word === 'nothing' ? 'Why it earns nothing' : 'Why it earns this'}>
        <p>{sale.explanation}</p>
      </DrawerSection>
      <SaleDispute sale={sale} />
      <DrawerSection title={pay.at === null || pay.word === 'paid' ? paymentDateText(pay) : `Expected on ${paymentDateText(pay)}`}>
        <p>
          {paymentStatusText(pay)}{' '}
          {pay.payout_id !== null && (
            <TextLink to="/creator/payouts/$payout" params={{ payout: pay.payout_id }}>
              See the payout
            </TextLink>
          )}
        </p>
        {pay.steps.length > 0 && (
          <ol className={styles.steps}>
            {pay.steps.map((step) => (
              <li key={step.what}>
                <span>{paymentStepText(step)}</span>
                {step.at === null ? <span className={styles.muted}>when they decide</span> : <Time at={step.at} dateOnly />}
              </li>
            ))}
          </ol>
        )}
      </DrawerSection>
    </>
  );
}

const disputesRead = 200;
/** The service accepts no further dispute about a sale after three declined ones. */
const declinedMax = 3;
const textLengthMax = 2_000;

/** Lets a creator dispute a rejection and read the store's answer. */
function SaleDispute({ sale }: { readonly sale: Sale }) {
  const path = apiPath('/creators/{creator}/disputes', { creator: useCreatorId() });
  const client = useQueryClient();
  const [hasSubmitted, setHasSubmitted] = useState(false);
  const found = useQuery(apiQuery(withQuery(path, { store_id: sale.store_id, limit: disputesRead })));
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
      <p key={id} className={`${styles.muted} ${styles.text}`} tabIndex={-1} ref={isFresh ? takeFocus : null}>
        {text}
      </p>
      <p>{answerTexts[state].replace('The shop', () => store)}</p>
      {note !== null && note !== '' && <p className={styles.text}>{note}</p>}
    </DrawerSection>
  );
}

const takeFocus = (part: HTMLElement | null): void => part?.focus();

const answerTexts: Readonly<Record<Dispute['state'], string>> = {
  open: 'The shop has not answered yet.',
  accepted: 'The shop agreed with you, and decides on the sale anew.',
  declined: 'The shop looked at it again, and stays with its decision.',
};
