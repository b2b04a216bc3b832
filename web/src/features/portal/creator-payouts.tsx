import { useInfiniteQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Payout, PayoutLine, PayoutDetails } from '../../api/api-schema.ts';
import { StatusChip, type StatusTexts } from '../../ui/chip.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { ExportCsvButton } from '../../ui/export-buttons.tsx';
import { formatDollars } from '../../ui/format.ts';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { ListView, useShortList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { apiPagedQuery } from '../../ui/queries.ts';
import { type Column, ShowMore, Table, LoadingSkeleton } from '../../ui/table.tsx';
import { Time, formatDay } from '../../ui/time.tsx';
import { useCreatorId } from './creator-api.ts';
import { creatorPayoutsPath, creatorPayoutPath } from './creator-payouts-api.ts';
import styles from './creator.module.css';
import { t } from './messages.ts';

/** The payouts of a creator. */
export function CreatorPayouts() {
  const creator = useCreatorId();
  const list = useShortList(creatorPayoutsPath(creator));
  return (
    <Page
      title={t.creator_payouts.payouts}
      intro={t.creator_payouts.payouts_are_on_the_1st}
      actions={
        <>
          {list.rows.length > 0 && (
            <ExportCsvButton path={creatorPayoutsPath(creator)} name="payouts.csv" subject={t.creator_payouts.all_payouts} />
          )}
          <ButtonLink variant="default" size="xs" to="/creator/statement">
            {t.creator_payouts.statement_by_month}
          </ButtonLink>
        </>
      }
    >
      <Section title={t.creator_payouts.payouts} bare flush>
        <ListView
          caption={t.creator_payouts.my_payouts}
          list={list}
          keyOf={({ id }) => id}
          columns={payoutColumns}
          empty={
            <EmptyState
              title={t.creator_payouts.no_payout_yet}
              action={
                <ButtonLink variant="default" to="/creator">
                  {t.creator_payouts.see_the_next_payout}
                </ButtonLink>
              }
            >
              {t.creator_payouts.the_first_one_comes_when}
            </EmptyState>
          }
        />
      </Section>
    </Page>
  );
}

const payoutColumns: ReadonlyArray<Column<Payout>> = [
  {
    title: t.creator_payouts.made,
    cell: ({ id, made_at: at }) => (
      <TextLink to="/creator/payouts/$payout" params={{ payout: id }} fw={600}>
        <Time at={at} dateOnly />
      </TextLink>
    ),
  },
  { title: t.creator_payouts.amount_usd, kind: 'number', cell: ({ amount_cents: cents }) => <strong>{formatDollars(cents)}</strong> },
  { title: t.creator_payouts.state, cell: ({ state }) => <PayoutStatusChip state={state} /> },
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
      <Section title={t.creator_payouts.what_it_pays_for} flush>
        <Table
          caption={t.creator_payouts.sales_that_this_payout_pays}
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

function PayoutDetailList({ payout }: { readonly payout: PayoutDetails }) {
  const { state, sent_at: sent, ended_at: ended, returned_at: returned, reference, failure } = payout;
  return (
    <DescriptionList
      items={[
        [t.creator_payouts.amount, <strong key="a">{t.creator_payouts.usd({ amountCents: formatDollars(payout.amount_cents) })}</strong>],
        [t.creator_payouts.state, <PayoutStatusChip key="s" state={state} />],
        ...(sent === null ? [] : [[t.creator_payouts.sent, <Time key="t" at={sent} />] as const]),
        ...(ended === null
          ? []
          : [[state === 'failed' ? t.creator_payouts.failed : t.creator_payouts.paid, <Time key="e" at={ended} />] as const]),
        ...(returned === null ? [] : [[t.creator_payouts.came_back, <Time key="r" at={returned} />] as const]),
        ...(failure === null ? [] : [[t.creator_payouts.why, failure.message] as const]),
        ...(state === 'returned'
          ? [
              [
                t.creator_payouts.and_now,
                <TextLink key="n" to="/creator/settings" children={t.creator_payouts.the_money_is_yours_as} />,
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
  { title: t.creator_payouts.sold, cell: ({ occurred_at: at }) => <Time at={at} dateOnly /> },
  { title: t.creator_payouts.shop, cell: ({ store_name: store }) => store },
  { title: t.creator_payouts.order_or_invoice, cell: ({ order_id: order, invoice_id: invoice }) => order ?? invoice },
  { title: 'USD', kind: 'number', cell: ({ amount_cents: cents }) => <strong>{formatDollars(cents)}</strong> },
];

const stateTexts: StatusTexts<Payout['state']> = {
  awaiting_second: [t.creator_payouts.being_confirmed, 'wait', t.creator_payouts.somebody_who_runs_this_service],
  sending: [t.creator_payouts.being_sent, 'wait', t.creator_payouts.it_is_on_its_way],
  unknown: [t.creator_payouts.being_looked_into, 'wait', t.creator_payouts.the_provider_has_not_answered],
  paid: [t.creator_payouts.paid, 'good', t.creator_payouts.it_was_sent_to_your],
  failed: [t.creator_payouts.failed, 'bad', t.creator_payouts.it_could_not_be_sent],
  returned: [t.creator_payouts.came_back, 'bad', t.creator_payouts.your_bank_sent_it_back],
};

function PayoutStatusChip({ state }: Pick<Payout, 'state'>) {
  return <StatusChip texts={stateTexts} state={state} />;
}
