import { useInfiniteQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { dollarsOf } from '../parts/amounts.ts';
import { Facts } from '../parts/facts.tsx';
import { TextLink } from '../parts/links.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { readingInPages } from '../parts/reading.ts';
import { SaveCsv } from '../parts/save-buttons.tsx';
import { ShowMore } from '../parts/show-more.tsx';
import { Table, Waiting, type Column } from '../parts/table.tsx';
import { localDay, Time } from '../parts/time.tsx';
import { useCreatorId } from './creator-api.ts';
import styles from './creator.module.css';
import { PayoutChip } from './payout-chip.tsx';
import { payoutPath, type PayoutLine, type WholePayout } from './payouts-api.ts';

const linesPerPage = 50;

/** One payout, with every sale that it pays for. */
export function Payout() {
  const creator = useCreatorId();
  const { payout } = useParams({ from: '/inside/creator/payouts/$payout' });
  const path = payoutPath(creator, payout);
  const found = useInfiniteQuery(readingInPages<WholePayout>({ path, limit: linesPerPage, next: ({ lines }) => lines.next_cursor }));
  const above = <TextLink to="/creator/payouts">Payouts</TextLink>;
  const whole = found.data?.pages[0];
  if (found.isPending) return <Page title="Payout" above={above} children={<Waiting />} />;
  if (whole === undefined) {
    const problem = found.error ?? new Error('nothing was answered');
    return <Page title="Payout" above={above} children={<ProblemNote problem={problem} onRetry={() => void found.refetch()} />} />;
  }
  return (
    <Page
      title={`Payout of ${localDay(whole.made_at)}`}
      above={above}
      actions={<SaveCsv path={path} name={`${whole.id}.csv`} of="this payout" />}
    >
      <Section title="Payout" bare>
        <What payout={whole} />
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
            <ShowMore of={found} />
          </div>
        )}
      </Section>
    </Page>
  );
}

function What({ payout }: { readonly payout: WholePayout }) {
  const { state, sent_at: sent, ended_at: ended, returned_at: returned, reference, failure } = payout;
  return (
    <Facts
      facts={[
        ['Amount', <strong key="a">{dollarsOf(payout.amount_cents)} USD</strong>],
        ['State', <PayoutChip key="s" state={state} />],
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
  { title: 'USD', kind: 'number', cell: ({ amount_cents: cents }) => <strong>{dollarsOf(cents)}</strong> },
];
