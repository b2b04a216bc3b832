import { useInfiniteQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { formatDollars } from '../../ui/format.ts';
import { DescriptionList } from '../../ui/description-list.tsx';
import { TextLink } from '../../ui/links.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { apiPagedQuery } from '../../ui/queries.ts';
import { ExportCsvButton } from '../../ui/export-buttons.tsx';
import { ShowMore, Table, LoadingSkeleton, type Column } from '../../ui/table.tsx';
import { formatDay, Time } from '../../ui/time.tsx';
import { useCreatorId } from './creator-api.ts';
import styles from './creator.module.css';
import { PayoutStatusChip } from './payout-status-chip.tsx';
import { creatorPayoutPath, type PayoutLine, type PayoutDetails } from './creator-payouts-api.ts';

const linesPerPage = 50;

/** One payout with the sales it pays for. */
export function CreatorPayout() {
  const creator = useCreatorId();
  const { payout } = useParams({ from: '/signed-in/creator/payouts/$payout' });
  const path = creatorPayoutPath(creator, payout);
  const found = useInfiniteQuery(apiPagedQuery<PayoutDetails>({ path, limit: linesPerPage, next: ({ lines }) => lines.next_cursor }));
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
          columns={columns}
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
      facts={[
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

const columns: ReadonlyArray<Column<PayoutLine>> = [
  { title: 'Sold', cell: ({ occurred_at: at }) => <Time at={at} dateOnly /> },
  { title: 'Shop', cell: ({ store_name: store }) => store },
  { title: 'Order or invoice', cell: ({ order_id: order, invoice_id: invoice }) => order ?? invoice },
  { title: 'USD', kind: 'number', cell: ({ amount_cents: cents }) => <strong>{formatDollars(cents)}</strong> },
];
