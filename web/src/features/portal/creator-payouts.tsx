import { ExportCsvButton } from '../../ui/export-buttons.tsx';
import { formatDollars } from '../../ui/format.ts';
import { useHasRows } from '../../ui/queries.ts';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { PagedTable, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useCreatorId } from './creator-api.ts';
import { PayoutStatusChip } from './payout-status-chip.tsx';
import { creatorPayoutsQuery, creatorPayoutsPath, type Payout } from './creator-payouts-api.ts';

/** The payouts of a creator. */
export function CreatorPayouts() {
  const creator = useCreatorId();
  const list = creatorPayoutsQuery(creator);
  const hasRows = useHasRows(list);
  return (
    <Page
      title="Payouts"
      intro="Payouts are on the 1st and the 15th, of what merchants have paid."
      actions={
        <>
          {hasRows && <ExportCsvButton path={creatorPayoutsPath(creator)} name="payouts.csv" subject="all payouts" />}
          <ButtonLink variant="default" size="xs" to="/creator/statement">
            Statement by month
          </ButtonLink>
        </>
      }
    >
      <Section title="Payouts" bare flush>
        <PagedTable
          caption="My payouts"
          list={list}
          keyOf={({ id }) => id}
          columns={columns}
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

const columns: ReadonlyArray<Column<Payout>> = [
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
