import { SaveCsv } from '../parts/save-buttons.tsx';
import { dollarsOf } from '../parts/amounts.ts';
import { useHasRows } from '../parts/has-rows.ts';
import { ButtonLink, TextLink } from '../parts/links.tsx';
import { Empty, Page, Section } from '../parts/page.tsx';
import { PagedTable, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useCreatorId } from './creator-api.ts';
import { PayoutChip } from './payout-chip.tsx';
import { payoutList, payoutsPath, type Payout } from './payouts-api.ts';

/** What was paid to a creator, and what is on its way. */
export function Payouts() {
  const creator = useCreatorId();
  const list = payoutList(creator);
  const hasRows = useHasRows(list);
  return (
    <Page
      title="Payouts"
      intro="Payouts are on the 1st and the 15th, of what merchants have paid."
      actions={
        <>
          {hasRows && <SaveCsv path={payoutsPath(creator)} name="payouts.csv" of="all payouts" />}
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
            <Empty
              title="No payout yet"
              action={
                <ButtonLink variant="default" to="/creator">
                  See the next payout
                </ButtonLink>
              }
            >
              The first one comes when a merchant has paid for your sales and they reach the minimum.
            </Empty>
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
  { title: 'Amount, USD', kind: 'number', cell: ({ amount_cents: cents }) => <strong>{dollarsOf(cents)}</strong> },
  { title: 'State', cell: ({ state }) => <PayoutChip state={state} /> },
  { title: 'Paid', cell: ({ state, ended_at: at }) => (at === null || state === 'failed' ? 'not paid' : <Time at={at} dateOnly />) },
  { title: 'Reference', cell: ({ reference }) => (reference === null ? null : <span className="mono">{reference}</span>) },
];
