import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Store } from '../../api/api-schema.ts';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { IntegrationStatusChip, StoreStatusChip, TrackingStatusChip } from '../stores/store-status-chips.tsx';

export function OperatorStores() {
  const list = useList<'/stores', object>({
    search: useSearch({ from: '/signed-in/operator/stores' }),
    navigate: useNavigate({ from: '/operator/stores' }),
    path: '/stores',
    fields: [],
  });
  return (
    <Page
      title="Stores"
      intro="All stores of this installation. You may open each as if it were yours, or look at it as its people do."
      actions={list.rows.length > 0 && <ButtonLink to="/new-store">Create a store</ButtonLink>}
    >
      <Section title="All stores" bare flush>
        <ListView
          list={list}
          caption="Stores"
          keyOf={({ id }) => id}
          columns={columns}
          empty={
            <EmptyState title="No store yet" action={<ButtonLink to="/new-store">Create the first store</ButtonLink>}>
              Create one, or let merchants sign up: whoever makes an account can open a store of their own.
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
      <TextLink to="/operator/stores/$storeId" params={{ storeId: id }} fw={600}>
        {name}
      </TextLink>
    ),
  },
  { title: 'Site', cell: ({ site_url: site }) => new URL(site).host },
  { title: 'Store', cell: ({ status }) => <StoreStatusChip status={status} /> },
  { title: 'Integration', cell: ({ integration }) => <IntegrationStatusChip integration={integration} /> },
  { title: 'Tracking', cell: ({ tracking_on: isOn }) => <TrackingStatusChip isOn={isOn} /> },
  { title: 'Created', cell: ({ created_at: at }) => <Time at={at} dateOnly /> },
];
