import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Store } from '../../../../sdk/src/api-schema.ts';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { IntegrationStatusChip, StoreStatusChip, TrackingStatusChip } from './store-status-chips.tsx';
import styles from './my-stores.module.css';
import { NewStoreForm } from './new-store.tsx';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

export function MyStores() {
  const list = useList<'/stores', object>({
    search: useSearch({ from: '/signed-in/stores' }),
    navigate: useNavigate({ from: '/stores' }),
    path: '/stores',
    defaultSort: '-created_at',
    fields: [],
  });
  return (
    <Page
      title={t.my_stores.my_stores}
      intro={t.my_stores.each_store_has_its_own}
      actions={list.rows.length > 0 && <ButtonLink to="/new-store">{t.my_stores.create_store}</ButtonLink>}
    >
      <Section title={t.my_stores.stores} bare flush>
        <ListView
          list={list}
          caption={t.my_stores.my_stores}
          keyOf={({ id }) => id}
          columns={columns}
          empty={
            <EmptyState
              title={t.my_stores.no_stores_yet}
              action={
                <div className={styles.firstStore}>
                  <NewStoreForm />
                </div>
              }
            >
              {rich(t.my_stores.create_a_store_to_get, { link: <TextLink to="/creator" /> })}
            </EmptyState>
          }
        />
      </Section>
    </Page>
  );
}

const columns: ReadonlyArray<Column<Store>> = [
  {
    title: t.my_stores.name,
    sort: 'name',
    sortsUpward: true,
    priority: true,
    cell: ({ id, name }) => (
      <TextLink to="/stores/$store" params={{ store: id }} className="strong">
        {name}
      </TextLink>
    ),
  },
  { title: t.my_stores.site, cell: ({ site_url }) => new URL(site_url).host },
  { title: t.my_stores.store, priority: true, cell: (store) => <StoreStatusChip status={store.status} /> },
  { title: t.my_stores.integration, priority: true, cell: (store) => <IntegrationStatusChip integration={store.integration} /> },
  { title: t.my_stores.tracking, cell: (store) => <TrackingStatusChip isOn={store.tracking_on} /> },
];
