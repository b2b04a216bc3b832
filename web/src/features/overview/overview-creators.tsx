import { formatDollars } from '../../ui/format.ts';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { EmptyState, Section } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import type { TopCreator } from './overview-api.ts';

type OverviewCreatorsProps = { readonly store: string; readonly creators: readonly TopCreator[] };

/** The creators who earned the most, each with a link to their conversions. */
export function OverviewCreators({ store, creators }: OverviewCreatorsProps) {
  return (
    <Section
      title="Top creators"
      flush
      actions={
        <ButtonLink variant="default" size="xs" to="/stores/$store/creators" params={{ store }}>
          All creators
        </ButtonLink>
      }
    >
      {creators.length === 0 ? (
        <EmptyState title="Nobody in these days">Creators appear here once somebody clicks on one of their links.</EmptyState>
      ) : (
        <Table caption="Creators who earned the most" columns={columnsOf(store)} rows={creators} keyOf={({ creator_id: id }) => id} />
      )}
    </Section>
  );
}

const columnsOf = (store: string): ReadonlyArray<Column<TopCreator>> => [
  {
    title: 'Creator',
    cell: ({ creator_id: id, name }) => (
      <TextLink to="/stores/$store/conversions" params={{ store }} search={{ creator_id: id }}>
        {name}
      </TextLink>
    ),
  },
  { title: 'Clicks', kind: 'number', cell: ({ clicks }) => clicks.toLocaleString('en-GB') },
  { title: 'Orders', kind: 'number', cell: ({ orders }) => orders.toLocaleString('en-GB') },
  { title: 'Revenue, USD', kind: 'number', cell: ({ revenue_cents: cents }) => formatDollars(cents) },
  { title: 'Earned, USD', kind: 'number', cell: ({ earned_cents: cents }) => formatDollars(cents) },
];
