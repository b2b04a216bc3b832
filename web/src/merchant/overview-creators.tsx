import { dollarsOf } from '../parts/amounts.ts';
import { ButtonLink, TextLink } from '../parts/links.tsx';
import { Empty, Section } from '../parts/page.tsx';
import { Table, type Column } from '../parts/table.tsx';
import type { TopCreator } from './overview-api.ts';

type OverviewCreatorsProps = { readonly store: string; readonly creators: readonly TopCreator[] };

/** Who brought the most, each with the way to their conversions. */
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
        <Empty title="Nobody in these days">Creators appear here once somebody clicks on one of their links.</Empty>
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
  { title: 'Revenue, USD', kind: 'number', cell: ({ revenue_cents: cents }) => dollarsOf(cents) },
  { title: 'Earned, USD', kind: 'number', cell: ({ earned_cents: cents }) => dollarsOf(cents) },
];
