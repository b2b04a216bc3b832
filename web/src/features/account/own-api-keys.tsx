import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { OwnApiKey } from '../../api/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { EmptyState, Section } from '../../ui/page.tsx';
import { apiQuery, refresh } from '../../ui/queries.ts';
import { Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

/** Keys the person created, which end with their permissions. */
export function OwnApiKeys() {
  const keys = useQuery(apiQuery('/profile/api-keys'));
  return (
    <Section title="API keys you created" intro="A key can do at most what you can do. Revoke those that you do not know." flush>
      <QueryView query={keys} />
      {keys.isSuccess &&
        (keys.data.data.length === 0 ? (
          <EmptyState title="No API keys">Keys that you create for a store, a creator or the operators are listed here.</EmptyState>
        ) : (
          <Table caption="API keys you created" columns={columns} rows={keys.data.data} keyOf={({ id }) => id} />
        ))}
    </Section>
  );
}

const columns: ReadonlyArray<Column<OwnApiKey>> = [
  {
    title: 'Name',
    cell: ({ name, last4 }) => (
      <>
        <strong>{name}</strong> …{last4}
      </>
    ),
  },
  { title: 'For', cell: ({ kind, store_id: store }) => (kind === 'store' ? `Store ${store ?? ''}` : kinds[kind]) },
  { title: 'Created', cell: ({ created_at: at }) => <Time at={at} /> },
  { title: 'Last used', cell: ({ last_used_at: at }) => (at === null ? 'Never' : <Time at={at} />) },
  { title: 'Change', kind: 'actions', cell: (key) => <RevokeKeyButton ownKey={key} /> },
];

const kinds = { creator: 'Creator account', operator: 'Operators' } as const;

function RevokeKeyButton({ ownKey }: { readonly ownKey: OwnApiKey }) {
  const client = useQueryClient();
  const run = async () => {
    await api.delete(apiPath('/profile/api-keys/{key}', { key: ownKey.id }));
    await refresh(client, '/profile/api-keys');
  };
  return (
    <ConfirmButton label="Revoke" subject={ownKey.name} variant="subtle" danger title="Revoke this API key?" confirm="Revoke it" run={run}>
      <p>Programs that use it are refused immediately.</p>
    </ConfirmButton>
  );
}
