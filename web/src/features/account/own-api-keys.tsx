import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { OwnApiKey } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { EmptyState, Section } from '../../ui/page.tsx';
import { apiQuery, refresh } from '../../ui/queries.ts';
import { Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { t } from './messages.ts';

/** Keys the person created, which end with their permissions. */
export function OwnApiKeys() {
  const keys = useQuery(apiQuery('/profile/api-keys'));
  return (
    <Section title={t.own_api_keys.your_api_keys} intro={t.own_api_keys.a_key_never_has_more} flush>
      <QueryView query={keys} />
      {keys.isSuccess &&
        (keys.data.data.length === 0 ? (
          <EmptyState title={t.own_api_keys.no_api_keys_yet}>{t.own_api_keys.keys_that_you_create_for}</EmptyState>
        ) : (
          <Table caption={t.own_api_keys.your_api_keys} columns={columns} rows={keys.data.data} keyOf={({ id }) => id} />
        ))}
    </Section>
  );
}

const columns: ReadonlyArray<Column<OwnApiKey>> = [
  {
    title: t.own_api_keys.name,
    cell: ({ name, last4 }) => (
      <>
        <strong>{name}</strong> …{last4}
      </>
    ),
  },
  {
    title: t.own_api_keys.access_to,
    cell: ({ kind, store_id: store }) => (kind === 'store' ? t.own_api_keys.store({ value: store ?? '' }) : kinds[kind]),
  },
  { title: t.own_api_keys.created, cell: ({ created_at: at }) => <Time at={at} /> },
  { title: t.own_api_keys.last_used, cell: ({ last_used_at: at }) => (at === null ? t.own_api_keys.never : <Time at={at} />) },
  { title: t.own_api_keys.actions, kind: 'actions', cell: (key) => <RevokeKeyButton ownKey={key} /> },
];

const kinds = { creator: t.own_api_keys.creator_account, operator: t.own_api_keys.operators } as const;

function RevokeKeyButton({ ownKey }: { readonly ownKey: OwnApiKey }) {
  const client = useQueryClient();
  const run = async () => {
    await api.delete(apiPath('/profile/api-keys/{key}', { key: ownKey.id }));
    await refresh(client, '/profile/api-keys');
  };
  return (
    <ConfirmButton
      label={t.own_api_keys.revoke}
      subject={ownKey.name}
      variant="subtle"
      danger
      title={t.own_api_keys.revoke_this_api_key}
      confirm={t.own_api_keys.revoke_key}
      run={run}
    >
      <p>{t.own_api_keys.applications_that_use_this_key}</p>
    </ConfirmButton>
  );
}
