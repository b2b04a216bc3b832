import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, type Page } from '../api.ts';
import { ConfirmButton } from '../parts/dialog.tsx';
import { Empty, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { reading, refresh } from '../parts/reading.ts';
import { Table, Waiting, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';

type OwnKey = {
  readonly id: string;
  readonly name: string;
  readonly last4: string;
  readonly kind: 'store' | 'creator' | 'operator';
  readonly store_id: string | null;
  readonly created_at: string;
  readonly last_used_at: string | null;
};

/** The keys that end with this person's rights, wherever they were created. */
export function OwnKeys() {
  const keys = useQuery(reading<Page<OwnKey>>('/profile/api-keys'));
  return (
    <Section title="API keys you created" intro="A key can do at most what you can do. Revoke those that you do not know." flush>
      {keys.isPending && <Waiting />}
      {keys.isError && <ProblemNote problem={keys.error} onRetry={() => void keys.refetch()} />}
      {keys.isSuccess &&
        (keys.data.data.length === 0 ? (
          <Empty title="No API keys">Keys that you create for a store, a creator or the operators are listed here.</Empty>
        ) : (
          <Table caption="API keys you created" columns={columns} rows={keys.data.data} keyOf={({ id }) => id} />
        ))}
    </Section>
  );
}

const columns: ReadonlyArray<Column<OwnKey>> = [
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
  { title: 'Change', kind: 'actions', cell: (key) => <Revoke ownKey={key} /> },
];

const kinds = { creator: 'Creator account', operator: 'Operators' } as const;

function Revoke({ ownKey }: { readonly ownKey: OwnKey }) {
  const client = useQueryClient();
  const run = async () => {
    await api.delete(`/profile/api-keys/${ownKey.id}`);
    await refresh(client, '/profile/api-keys');
  };
  return (
    <ConfirmButton label="Revoke" of={ownKey.name} look="subtle" danger title="Revoke this API key?" confirm="Revoke it" run={run}>
      <p>Programs that use it are refused immediately.</p>
    </ConfirmButton>
  );
}
