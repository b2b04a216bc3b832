import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Store } from '../../../../sdk/src/api-schema.ts';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import type { SearchParam } from '../../ui/search-params.ts';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { IntegrationStatusChip, StoreStatusChip, TrackingStatusChip } from '../stores/store-status-chips.tsx';
import { t } from './messages.ts';

const searchLengthMax = 100;

export function OperatorStores() {
  const list = useList<'/stores', SearchParam>({
    search: useSearch({ from: '/signed-in/operator/stores' }),
    navigate: useNavigate({ from: '/operator/stores' }),
    path: '/stores',
    defaultSort: '-created_at',
    fields: [{ type: 'search', name: 'q', label: t.operator_stores.name_site_or_id, lengthMax: searchLengthMax }],
  });
  return (
    <Page
      title={t.operator_stores.stores}
      intro={t.operator_stores.all_stores_of_this_installation}
      actions={list.rows.length > 0 && <ButtonLink to="/new-store">{t.operator_stores.create_store}</ButtonLink>}
    >
      <Section title={t.operator_stores.all_stores} bare flush>
        <ListView
          list={list}
          caption={t.operator_stores.stores}
          keyOf={({ id }) => id}
          columns={columns}
          empty={
            list.isFiltered ? (
              <EmptyState title={t.operator_stores.no_stores_match}>{t.operator_stores.search_by_any_part_of}</EmptyState>
            ) : (
              <EmptyState
                title={t.operator_stores.no_stores_yet}
                action={<ButtonLink to="/new-store">{t.operator_stores.create_first_store}</ButtonLink>}
              >
                {t.operator_stores.create_a_store_or_let}
              </EmptyState>
            )
          }
        />
      </Section>
    </Page>
  );
}

const columns: ReadonlyArray<Column<Store>> = [
  {
    title: t.operator_stores.name,
    sort: 'name',
    sortsUpward: true,
    priority: true,
    cell: ({ id, name }) => (
      <TextLink to="/operator/stores/$storeId" params={{ storeId: id }} className="strong">
        {name}
      </TextLink>
    ),
  },
  { title: t.operator_stores.site, cell: ({ site_url: site }) => new URL(site).host },
  { title: t.operator_stores.store, priority: true, cell: ({ status }) => <StoreStatusChip status={status} /> },
  { title: t.operator_stores.integration, priority: true, cell: ({ integration }) => <IntegrationStatusChip integration={integration} /> },
  { title: t.operator_stores.tracking, cell: ({ tracking_on: isOn }) => <TrackingStatusChip isOn={isOn} /> },
  { title: t.operator_stores.created, sort: 'created_at', priority: true, cell: ({ created_at: at }) => <Time at={at} dateOnly /> },
];
