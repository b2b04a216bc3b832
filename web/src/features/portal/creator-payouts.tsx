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

/** The payouts of a creator. */
export function CreatorPayouts() {
  const creator = useCreatorId();
  const list = useShortList(creatorPayoutsPath(creator));
  return (
    <Page
      title="Payouts"
      intro="Payouts are on the 1st and the 15th, of what merchants have paid."
      actions={
        <>
          {list.rows.length > 0 && <ExportCsvButton path={creatorPayoutsPath(creator)} name="payouts.csv" subject="all payouts" />}
          <ButtonLink variant="default" size="xs" to="/creator/statement">
            Statement by month
          </ButtonLink>
        </>
      }
    >
      <Section title="Payouts" bare flush>
        <ListView
          caption="My payouts"
          list={list}
          keyOf={({ id }) => id}
          columns={payoutColumns}
          empty={
            <EmptyState
              title="No payout yet"
              action={
                <ButtonLink variant="default" to="/creator">
                  See the next payout
                </ButtonLink>
              }
            >
              The first one comes when a merchant has paid for your sales and they reach the minimum.
            </EmptyState>
          }
        />
      </Section>
    </Page>
  );
}

const payoutColumns: ReadonlyArray<Column<Payout>> = [
  {
    title: 'Made',
    cell: ({ id, made_at: at }) => (
      <TextLink to="/creator/payouts/$payout" params={{ payout: id }} fw={600}>
        <Time at={at} dateOnly />
      </TextLink>
    ),
  },
  { title: 'Amount, USD', kind: 'number', cell: ({ amount_cents: cents }) => <strong>{formatDollars(cents)}</strong> },
  { title: 'State', cell: ({ state }) => <PayoutStatusChip state={state} /> },
  { title: 'Paid', cell: ({ state, ended_at: at }) => (at === null || state === 'failed' ? 'not paid' : <Time at={at} dateOnly />) },
  { title: 'Reference', cell: ({ reference }) => (reference === null ? null : <span className="mono">{reference}</span>) },
];

const linesPerPage = 50;

/** One payout with the sales it pays for. */
export function CreatorPayout() {
  const creator = useCreatorId();
  const { payout } = useParams({ from: '/signed-in/creator/payouts/$payout' });
  const path = creatorPayoutPath(creator, payout);
  const found = useInfiniteQuery(apiPagedQuery({ path, limit: linesPerPage, next: ({ lines }) => lines.next_cursor }));
  const above = <TextLink to="/creator/payouts">Payouts</TextLink>;
  const whole = found.data?.pages[0];
  if (found.isPending) return <Page title="Payout" above={above} children={<LoadingSkeleton />} />;
  if (whole === undefined) {
    const problem = found.error ?? new Error('nothing was answered');
    return <Page title="Payout" above={above} children={<ErrorAlert error={problem} onRetry={() => void found.refetch()} />} />;
  }
  return (
    <Page
      title={`Payout of ${formatDay(whole.made_at)}`}
      above={above}
      actions={<ExportCsvButton path={path} name={`${whole.id}.csv`} subject="this payout" />}
    >
      <Section title="Payout" bare>
        <PayoutDetailList payout={whole} />
      </Section>
      <Section title="What it pays for" flush>
        <Table
          caption="Sales that this payout pays for"
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
        ['Amount', <strong key="a">{formatDollars(payout.amount_cents)} USD</strong>],
        ['State', <PayoutStatusChip key="s" state={state} />],
        ...(sent === null ? [] : [['Sent', <Time key="t" at={sent} />] as const]),
        ...(ended === null ? [] : [[state === 'failed' ? 'Failed' : 'Paid', <Time key="e" at={ended} />] as const]),
        ...(returned === null ? [] : [['Came back', <Time key="r" at={returned} />] as const]),
        ...(failure === null ? [] : [['Why', failure.message] as const]),
        ...(state === 'returned'
          ? [
              [
                'And now',
                <TextLink key="n" to="/creator/settings" children="The money is yours as before. See where you are paid" />,
              ] as const,
            ]
          : []),
        ...(reference === null
          ? []
          : [
              [
                'Reference',
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
  { title: 'Sold', cell: ({ occurred_at: at }) => <Time at={at} dateOnly /> },
  { title: 'Shop', cell: ({ store_name: store }) => store },
  { title: 'Order or invoice', cell: ({ order_id: order, invoice_id: invoice }) => order ?? invoice },
  { title: 'USD', kind: 'number', cell: ({ amount_cents: cents }) => <strong>{formatDollars(cents)}</strong> },
];

const stateTexts: StatusTexts<Payout['state']> = {
  awaiting_second: ['Being confirmed', 'wait', 'Somebody who runs this service confirms it before it is sent.'],
  sending: ['Being sent', 'wait', 'It is on its way to your payout method.'],
  unknown: ['Being looked into', 'wait', 'The provider has not answered. It is asked again; you are not paid twice.'],
  paid: ['Paid', 'good', 'It was sent to your payout method. Banks may take some days to show it.'],
  failed: ['Failed', 'bad', 'It could not be sent. The money is yours as before, and goes out with the next payout.'],
  returned: ['Came back', 'bad', 'Your bank sent it back. The money is yours as before; put your payout method right.'],
};

function PayoutStatusChip({ state }: Pick<Payout, 'state'>) {
  return <StatusChip texts={stateTexts} state={state} />;
}
