import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Store } from '../../api/api-schema.ts';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { IntegrationStatusChip, StoreStatusChip, TrackingStatusChip } from './store-status-chips.tsx';

export function MyStores() {
  const list = useList<'/stores', object>({
    search: useSearch({ from: '/signed-in/stores' }),
    navigate: useNavigate({ from: '/stores' }),
    path: '/stores',
    fields: [],
  });
  return (
    <Page
      title="My stores"
      intro="A store is one shop with its own keys, programs and bills."
      actions={list.rows.length > 0 && <ButtonLink to="/new-store">Create a store</ButtonLink>}
    >
      <Section title="Stores" bare flush>
        <ListView
          list={list}
          caption="My stores"
          keyOf={({ id }) => id}
          columns={columns}
          empty={
            <EmptyState title="You have no store yet" action={<ButtonLink to="/new-store">Create your first store</ButtonLink>}>
              Create one to get its keys. If a colleague has a store here already, ask them for an invitation instead. Do you share links to
              shops? Then the <TextLink to="/creator">creator’s portal</TextLink> is your place.
            </EmptyState>
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
  { title: 'Store', cell: (store) => <StoreStatusChip status={store.status} /> },
  { title: 'Integration', cell: (store) => <IntegrationStatusChip integration={store.integration} /> },
  { title: 'Tracking', cell: (store) => <TrackingStatusChip isOn={store.tracking_on} /> },
];
