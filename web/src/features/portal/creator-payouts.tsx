import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { Payout, PayoutLine, PayoutDetails } from '../../../../sdk/src/api-schema.ts';
import { StatusChip, type StatusTexts } from '../../ui/chip.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { ExportCsvButton } from '../../ui/export-buttons.tsx';
import { formatDollars, formatUsd } from '../../ui/format.ts';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { apiPagedQuery } from '../../ui/queries.ts';
import { type Column, ShowMore, Table, LoadingSkeleton } from '../../ui/table.tsx';
import { Time, formatDay } from '../../ui/time.tsx';
import { useCreatorId } from './creator-api.ts';
import { creatorPayoutsPath, creatorPayoutPath } from './creator-payouts-api.ts';
import styles from './creator.module.css';
import { localizeTimes } from '../../ui/localize-times.ts';
import { t } from './messages.ts';

/** The payouts of a creator. */
export function CreatorPayouts() {
  const creator = useCreatorId();
  const list = useList<'/creators/{creator}/payouts', object>({
    search: useSearch({ from: '/signed-in/creator/payouts' }),
    navigate: useNavigate({ from: '/creator/payouts' }),
    path: creatorPayoutsPath(creator),
    defaultSort: '-made_at',
    fields: [],
  });
  return (
    <Page
      title={t.creator_payouts.payouts}
      intro={t.creator_payouts.we_pay_out_on_the}
      actions={
        <>
          {list.rows.length > 0 && <ExportCsvButton path={list.exportPath} name="payouts.csv" subject={t.creator_payouts.all_payouts} />}
          <ButtonLink variant="default" size="xs" to="/creator/statement">
            {t.creator_payouts.view_statement}
          </ButtonLink>
        </>
      }
    >
      <Section title={t.creator_payouts.payouts} bare flush>
        <ListView
          caption={t.creator_payouts.your_payouts}
          list={list}
          keyOf={({ id }) => id}
          columns={payoutColumns}
          empty={
            <EmptyState
              title={t.creator_payouts.no_payouts_yet}
              action={
                <ButtonLink variant="default" to="/creator">
                  {t.creator_payouts.view_balance}
                </ButtonLink>
              }
            >
              {t.creator_payouts.you_get_your_first_payout}
            </EmptyState>
          }
        />
      </Section>
    </Page>
  );
}

const payoutColumns: ReadonlyArray<Column<Payout>> = [
  {
    title: t.creator_payouts.created,
    sort: 'made_at',
    priority: true,
    cell: ({ id, made_at: at }) => (
      <TextLink to="/creator/payouts/$payout" params={{ payout: id }} className="strong">
        <Time at={at} dateOnly />
      </TextLink>
    ),
  },
  {
    title: t.creator_payouts.amount_usd,
    sort: 'amount_cents',
    kind: 'number',
    priority: true,
    cell: ({ amount_cents: cents }) => <strong>{formatDollars(cents)}</strong>,
  },
  { title: t.creator_payouts.status, priority: true, cell: ({ state }) => <PayoutStatusChip state={state} /> },
  {
    title: t.creator_payouts.paid,
    cell: ({ state, ended_at: at }) => (at === null || state === 'failed' ? t.creator_payouts.not_paid : <Time at={at} dateOnly />),
  },
  { title: t.creator_payouts.reference, cell: ({ reference }) => (reference === null ? null : <span className="mono">{reference}</span>) },
];

const linesPerPage = 50;

/** One payout with the sales it pays for. */
export function CreatorPayout() {
  const creator = useCreatorId();
  const { payout } = useParams({ from: '/signed-in/creator/payouts/$payout' });
  const path = creatorPayoutPath(creator, payout);
  const found = useInfiniteQuery(apiPagedQuery({ path, limit: linesPerPage, next: ({ lines }) => lines.next_cursor }));
  const above = <TextLink to="/creator/payouts">{t.creator_payouts.payouts}</TextLink>;
  const whole = found.data?.pages[0];
  if (found.isPending) return <Page title={t.creator_payouts.payout} above={above} children={<LoadingSkeleton />} />;
  if (whole === undefined) {
    const problem = found.error ?? new Error('nothing was answered');
    return (
      <Page title={t.creator_payouts.payout} above={above} children={<ErrorAlert error={problem} onRetry={() => void found.refetch()} />} />
    );
  }
  return (
    <Page
      title={t.creator_payouts.payout_of({ madeAt: formatDay(whole.made_at) })}
      above={above}
      actions={<ExportCsvButton path={path} name={`${whole.id}.csv`} subject={t.creator_payouts.this_payout} />}
    >
      <Section title={t.creator_payouts.payout} bare>
        <PayoutDetailList payout={whole} />
      </Section>
      <Section title={t.creator_payouts.included_sales} flush>
        <Table
          caption={t.creator_payouts.sales_included_in_this_payout}
          columns={lineColumns}
          rows={found.data?.pages.flatMap(({ lines }) => lines.data) ?? []}
          keyOf={({ commission_id: id }) => id}
        />
        {found.hasNextPage && (
          <div className={styles.padded}>
            <ShowMore list={found} />
          </div>
        )}
      </Section>
    </Page>
  );
}

/** Other failures are the words of a payment provider or of an operator. */
const failureTexts: Readonly<Record<string, string | undefined>> = t.payout_failures;

function PayoutDetailList({ payout }: { readonly payout: PayoutDetails }) {
  const { state, sent_at: sent, ended_at: ended, returned_at: returned, reference, failure } = payout;
  return (
    <DescriptionList
      items={[
        [t.creator_payouts.amount, <strong key="a">{formatUsd(payout.amount_cents)}</strong>],
        [t.creator_payouts.status, <PayoutStatusChip key="s" state={state} />],
        ...(sent === null ? [] : [[t.creator_payouts.sent, <Time key="t" at={sent} />] as const]),
        ...(ended === null
          ? []
          : [[state === 'failed' ? t.creator_payouts.failed : t.creator_payouts.paid, <Time key="e" at={ended} />] as const]),
        ...(returned === null ? [] : [[t.creator_payouts.returned, <Time key="r" at={returned} />] as const]),
        ...(failure === null ? [] : [[t.creator_payouts.failure_reason, failureTexts[failure.code] ?? failure.message] as const]),
        ...(state === 'returned'
          ? [
              [
                t.creator_payouts.next_step,
                <TextLink key="n" to="/creator/settings" children={t.creator_payouts.check_your_payout_method_the} />,
              ] as const,
            ]
          : []),
        ...(reference === null
          ? []
          : [
              [
                t.creator_payouts.reference,
                <span key="n" className="mono">
                  {reference}
                </span>,
              ] as const,
            ]),
      ]}
    />
  );
}

const lineColumns: ReadonlyArray<Column<PayoutLine>> = [
  { title: t.creator_payouts.date_of_sale, cell: ({ occurred_at: at }) => <Time at={at} dateOnly /> },
  { title: t.creator_payouts.store, cell: ({ store_name: store }) => store },
  {
    title: t.creator_payouts.order_or_invoice,
    cell: ({ order_id: order, invoice_id: invoice, lead_id: lead, bonus_reason: bonus }) =>
      order ?? invoice ?? lead ?? (bonus && localizeTimes(bonus)),
  },
  { title: 'USD', kind: 'number', cell: ({ amount_cents: cents }) => <strong>{formatDollars(cents)}</strong> },
];

const stateTexts: StatusTexts<Payout['state']> = {
  awaiting_second: [t.creator_payouts.awaiting_confirmation, 'wait', t.creator_payouts.an_operator_confirms_this_payout],
  sending: [t.creator_payouts.in_transit, 'wait', t.creator_payouts.on_the_way_to_your],
  unknown: [t.creator_payouts.pending, 'wait', t.creator_payouts.the_payment_provider_hasnt_confirm],
  paid: [t.creator_payouts.paid, 'good', t.creator_payouts.sent_to_your_payout_method],
  failed: [t.creator_payouts.failed, 'bad', t.creator_payouts.couldnt_send_this_payout_the],
  returned: [t.creator_payouts.returned, 'bad', t.creator_payouts.your_bank_returned_this_payout],
};

function PayoutStatusChip({ state }: Pick<Payout, 'state'>) {
  return <StatusChip texts={stateTexts} state={state} />;
}
