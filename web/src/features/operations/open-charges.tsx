import { useNavigate, useSearch } from '@tanstack/react-router';
import { Chip } from '../../ui/chip.tsx';
import { Filters, SelectFilter } from '../../ui/filters.tsx';
import { formatDollars } from '../../ui/format.ts';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { apiListQuery } from '../../ui/queries.ts';
import { queryString } from '../../ui/search-params.ts';
import { PagedTable, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { StoreLink } from './entity-links.tsx';
import type { OpenCharge } from './operator-api.ts';
import styles from './operator.module.css';
import { SettleChargeButton } from './settle-charge.tsx';
import { UnmatchedCharges } from './unmatched-charges.tsx';

/** Charges with an unknown result. Nearly all resolve without action; the others need a person who checks at the provider. */
export function OpenChargesPage() {
  const { state } = useSearch({ from: '/signed-in/operator/charges' });
  const navigate = useNavigate({ from: '/operator/charges' });
  return (
    <Page
      title="Open charges"
      intro="A charge that was not answered is never taken for a failure: the provider is asked until it knows. Where it does not, say what its own list has."
    >
      <Section title="Charges without an end" bare flush>
        <Filters onClear={state === undefined ? null : () => void navigate({ search: {} })}>
          <SelectFilter label="State" value={state} options={states} change={(asked) => void navigate({ search: { state: asked } })} />
        </Filters>
        <PagedTable
          caption="Charges without an end"
          list={apiListQuery<OpenCharge>(`/charges${queryString({ state })}`)}
          keyOf={({ id }) => id}
          columns={openChargeColumns}
          empty={
            state === undefined ? (
              <EmptyState title="No charge is open">Every charge has ended, one way or the other.</EmptyState>
            ) : (
              <EmptyState title="No open charge is in this state">Clear the filter to see those in others.</EmptyState>
            )
          }
        />
      </Section>
      <UnmatchedCharges />
    </Page>
  );
}

const states = [
  ['unknown', 'Unknown'],
  ['pending', 'Accepted'],
  ['sending', 'Being sent'],
  ['ready', 'About to be sent'],
] as const;

const openChargeColumns: ReadonlyArray<Column<OpenCharge>> = [
  { title: 'Made', cell: ({ made_at: at }) => <Time at={at} /> },
  { title: 'Store', kind: 'name', cell: ({ store_id: id }) => <StoreLink id={id} /> },
  { title: 'Amount, USD', kind: 'number', cell: ({ amount_cents: cents }) => <strong>{formatDollars(cents)}</strong> },
  { title: 'State', cell: ({ state }) => <OpenChargeStatusChip state={state} /> },
  {
    title: 'What is known',
    cell: ({ message, called_at: called }) => (
      <>
        <span className={styles.error}>{message ?? 'nothing yet'}</span>
        {called !== null && (
          <div className={styles.quiet}>
            Asked last <Time at={called} />
          </div>
        )}
      </>
    ),
  },
  { title: 'Change', kind: 'actions', cell: (charge) => <SettleChargeButton charge={charge} /> },
];

function OpenChargeStatusChip({ state }: Pick<OpenCharge, 'state'>) {
  switch (state) {
    case 'unknown':
      return <Chip label="Unknown" tone="wait" meaning="The provider did not answer. It may have charged or not; it is asked again." />;
    case 'pending':
      return <Chip label="Accepted" tone="wait" meaning="The provider has it, and says later how it ended." />;
    case 'sending':
      return <Chip label="Being sent" tone="wait" meaning="The provider is being called, or was when the service stopped." />;
    case 'ready':
      return <Chip label="About to be sent" tone="neutral" meaning="It stands in the books, and no call was made yet." />;
  }
}
