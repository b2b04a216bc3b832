import { useHasRows } from '../parts/has-rows.ts';
import { ButtonLink, TextLink } from '../parts/links.tsx';
import { Empty, Page, Section } from '../parts/page.tsx';
import { PagedTable, type Column } from '../parts/table.tsx';
import { myStores, type Store } from './stores-api.ts';
import { IntegrationChip, StoreChip, TrackingChip } from './store-chips.tsx';

/** The stores of whoever is signed in. */
export function Stores() {
  const hasRows = useHasRows(myStores);
  return (
    <Page
      title="My stores"
      intro="A store is one shop with its own keys, programs and bills."
      actions={hasRows && <ButtonLink to="/new-store">Create a store</ButtonLink>}
    >
      <Section title="Stores" bare flush>
        <PagedTable
          caption="My stores"
          list={myStores}
          keyOf={({ id }) => id}
          columns={columns}
          empty={
            <Empty title="You have no store yet" action={<ButtonLink to="/new-store">Create your first store</ButtonLink>}>
              Create one to get its keys. If a colleague has a store here already, ask them for an invitation instead. Do you share links to
              shops? Then the <TextLink to="/creator">creator’s portal</TextLink> is your place.
            </Empty>
          }
        />
      </Section>
    </Page>
  );
}

const columns: ReadonlyArray<Column<Store>> = [
  {
    title: 'Name',
    cell: ({ id, name }) => (
      <TextLink to="/stores/$store" params={{ store: id }} fw={600}>
        {name}
      </TextLink>
    ),
  },
  { title: 'Site', cell: ({ site_url }) => new URL(site_url).host },
  { title: 'Store', cell: (store) => <StoreChip status={store.status} /> },
  { title: 'Integration', cell: (store) => <IntegrationChip integration={store.integration} /> },
  { title: 'Tracking', cell: (store) => <TrackingChip isOn={store.tracking_on} /> },
];
