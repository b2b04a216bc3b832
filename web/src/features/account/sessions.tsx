import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, type Page } from '../../api/client.ts';
import { Chip } from '../../ui/chip.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { Section } from '../../ui/page.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { apiQuery, refresh } from '../../ui/queries.ts';
import { Table, LoadingSkeleton, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { browserName } from './browser-name.ts';

type ActiveSession = {
  readonly id: string;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly user_agent: string;
  readonly is_current: boolean;
};

export function Sessions() {
  const sessions = useQuery(apiQuery<Page<ActiveSession>>('/sessions'));
  return (
    <Section title="Where you are signed in" intro="End what you do not know, then change your password." flush>
      {sessions.isPending && <LoadingSkeleton />}
      {sessions.isError && <ErrorAlert error={sessions.error} onRetry={() => void sessions.refetch()} />}
      {sessions.isSuccess && <Table caption="Sessions" columns={sessionColumns} rows={sessions.data.data} keyOf={({ id }) => id} />}
    </Section>
  );
}

const sessionColumns: ReadonlyArray<Column<ActiveSession>> = [
  { title: 'Browser', cell: (session) => <Browser session={session} /> },
  { title: 'Signed in', cell: ({ created_at: at }) => <Time at={at} /> },
  { title: 'Last seen', cell: ({ last_seen_at: at }) => <Time at={at} /> },
  { title: 'Change', kind: 'actions', cell: (session) => !session.is_current && <EndSessionButton session={session} /> },
];

function Browser({ session }: { readonly session: ActiveSession }) {
  return (
    <>
      <strong>{browserName(session.user_agent)}</strong>{' '}
      {session.is_current && <Chip label="This one" tone="good" meaning="The browser that you are looking at." />}
    </>
  );
}

function EndSessionButton({ session }: { readonly session: ActiveSession }) {
  const client = useQueryClient();
  const run = async () => {
    await api.delete(`/sessions/${session.id}`);
    await refresh(client, '/sessions');
  };
  const browser = browserName(session.user_agent);
  return (
    <ConfirmButton
      label="End"
      subject={`the session in ${browser}`}
      variant="subtle"
      danger
      title="End this session?"
      confirm="End it"
      run={run}
    >
      <p>Whoever sits at {browser} there has to sign in again.</p>
    </ConfirmButton>
  );
}
