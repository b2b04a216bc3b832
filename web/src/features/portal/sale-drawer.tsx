import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { Sale, Dispute } from '../../../../sdk/src/api-schema.ts';
import { apiPath, withQuery } from '../../api/operations.ts';
import { DescriptionList } from '../../ui/description-list.tsx';
import { Drawer, DrawerSection } from '../../ui/drawer.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import { Form } from '../../ui/form.tsx';
import { formatUsd } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { apiQuery, noId, refresh } from '../../ui/queries.ts';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { Time, formatDay } from '../../ui/time.tsx';
import { useCreatorId } from './creator-api.ts';
import styles from './creator.module.css';
import { isOfOrder, paymentDateText, paymentStepText, paymentStatusText, SaleStatusChips } from './sale-status.tsx';
import { saleName, salePath } from './sales-api.ts';
import { localizeTimes } from '../../ui/localize-times.ts';
import { t } from './messages.ts';

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
    <Drawer title={found.data === undefined ? t.sale_drawer.sale : saleName(found.data)} opened={id !== undefined} onClose={close}>
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
            t.sale_drawer.status,
            <span key="s" className={styles.chips}>
              <SaleStatusChips sale={sale} />
            </span>,
          ],
          [
            pay.word === 'nothing' ? t.sale_drawer.original_commission : t.sale_drawer.commission,
            <strong key="a">{formatUsd(sale.amount_cents)}</strong>,
          ],
          ...(sale.bonus === null ? [] : [[t.sale_drawer.bonus, localizeTimes(sale.bonus.reason)] as const]),
          ...(isOfOrder(sale) ? [[t.sale_drawer.eligible_amount, formatUsd(sale.eligible_cents)] as const] : []),
          [t.sale_drawer.store, `${sale.store_name}, ${sale.program_name}`],
          [isOfOrder(sale) ? t.sale_drawer.date_of_sale : t.creator_sales.date, <Time key="d" at={sale.occurred_at} />],
          ...(sale.sub_id === null ? [] : [[t.sale_drawer.sub_id, sale.sub_id] as const]),
        ]}
      />
      <DrawerSection
        title={pay.word === 'nothing' ? t.sale_drawer.why_theres_no_commission : t.sale_drawer.how_the_commission_was_calculated}
      >
        <p>{localizeTimes(sale.explanation)}</p>
      </DrawerSection>
      <SaleDispute sale={sale} />
      <DrawerSection
        title={pay.at === null || pay.word === 'paid' ? paymentDateText(pay) : t.sale_drawer.expected_payout({ pay: paymentDateText(pay) })}
      >
        <p>
          {paymentStatusText(sale)}{' '}
          {pay.payout_id !== null && (
            <TextLink to="/creator/payouts/$payout" params={{ payout: pay.payout_id }}>
              {t.sale_drawer.view_payout}
            </TextLink>
          )}
        </p>
        {pay.steps.length > 0 && (
          <ol className={styles.steps}>
            {pay.steps.map((step) => (
              <li key={step.what}>
                <span>{paymentStepText(step)}</span>
                {step.at === null ? <span className={styles.muted}>{t.sale_drawer.when_approved}</span> : <Time at={step.at} dateOnly />}
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
      {canDispute && isLimitReached && <p>{t.sale_drawer.the_store_has_declined_three}</p>}
      {canDispute && !isLimitReached && (
        <DrawerSection
          title={dispute === undefined ? t.sale_drawer.disagree_open_a_dispute : t.sale_drawer.still_disagree_open_another_disput}
        >
          <Form
            send={(values, key) => api.post(path, { store_id: sale.store_id, commission_id: sale.id, text: values.text('text') }, key)}
            done={() => {
              setHasSubmitted(true);
              return refresh(client, path);
            }}
            submit={t.sale_drawer.open_dispute}
          >
            <TextAreaField
              name="text"
              label={t.sale_drawer.why_should_this_sale_be}
              description={t.sale_drawer.reviews_your_dispute_and_replies({ storeName: sale.store_name })}
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
    <DrawerSection title={t.sale_drawer.dispute_opened_on({ at: formatDay(at) })}>
      <p key={id} className={`${styles.muted} ${styles.text}`} tabIndex={-1} ref={isFresh ? takeFocus : null}>
        {text}
      </p>
      <p>{answerTexts[state]({ store })}</p>
      {note !== null && note !== '' && <p className={styles.text}>{note}</p>}
    </DrawerSection>
  );
}

const takeFocus = (part: HTMLElement | null): void => part?.focus();

const answerTexts: Readonly<Record<Dispute['state'], (values: { readonly store: string }) => string>> = {
  open: t.sale_drawer.waiting_for_to_reply,
  accepted: t.sale_drawer.accepted_your_dispute_and_will,
  declined: t.sale_drawer.declined_your_dispute_the_sale,
};
