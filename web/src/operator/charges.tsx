import { useNavigate, useSearch } from '@tanstack/react-router';
import { Chip } from '../parts/chip.tsx';
import { Filters, SelectFilter } from '../parts/filters.tsx';
import { dollarsOf } from '../parts/amounts.ts';
import { Empty, Page, Section } from '../parts/page.tsx';
import { listing } from '../parts/reading.ts';
import { queryOf } from '../parts/search.ts';
import { PagedTable, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { StoreLink } from './named.tsx';
import type { OpenCharge } from './operator-api.ts';
import styles from './operator.module.css';
import { SettleCharge } from './settle-charge.tsx';
import { StrayCharges } from './stray-charges.tsx';

/** Charges whose end nobody knows yet. Nearly all end by themselves; the others need somebody who looks at the provider. */
export function OpenCharges() {
  const { state } = useSearch({ from: '/inside/operator/charges' });
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
          list={listing<OpenCharge>(`/charges${queryOf({ state })}`)}
          keyOf={({ id }) => id}
          columns={columns}
          empty={
            state === undefined ? (
              <Empty title="No charge is open">Every charge has ended, one way or the other.</Empty>
            ) : (
              <Empty title="No open charge is in this state">Clear the filter to see those in others.</Empty>
            )
          }
        />
      </Section>
      <StrayCharges />
    </Page>
  );
}

const states = [
  ['unknown', 'Unknown'],
  ['pending', 'Accepted'],
  ['sending', 'Being sent'],
  ['ready', 'About to be sent'],
] as const;

const columns: ReadonlyArray<Column<OpenCharge>> = [
  { title: 'Made', cell: ({ made_at: at }) => <Time at={at} /> },
  { title: 'Store', kind: 'name', cell: ({ store_id: id }) => <StoreLink id={id} /> },
  { title: 'Amount, USD', kind: 'number', cell: ({ amount_cents: cents }) => <strong>{dollarsOf(cents)}</strong> },
  { title: 'State', cell: ({ state }) => <ChargeChip state={state} /> },
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
  { title: 'Change', kind: 'actions', cell: (charge) => <SettleCharge charge={charge} /> },
];

function ChargeChip({ state }: Pick<OpenCharge, 'state'>) {
  switch (state) {
    case 'unknown':
      return <Chip word="Unknown" tone="wait" meaning="The provider did not answer. It may have charged or not; it is asked again." />;
    case 'pending':
      return <Chip word="Accepted" tone="wait" meaning="The provider has it, and says later how it ended." />;
    case 'sending':
      return <Chip word="Being sent" tone="wait" meaning="The provider is being called, or was when the service stopped." />;
    case 'ready':
      return <Chip word="About to be sent" tone="calm" meaning="It stands in the books, and no call was made yet." />;
  }
}
