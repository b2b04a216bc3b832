import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, type Page } from '../api.ts';
import { Chip } from '../parts/chip.tsx';
import { ConfirmButton } from '../parts/dialog.tsx';
import { Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { reading, refresh } from '../parts/reading.ts';
import { Table, Waiting, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { browserOf } from './browser-of.ts';

type SessionSeen = {
  readonly id: string;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly user_agent: string;
  readonly is_current: boolean;
};

export function Sessions() {
  const sessions = useQuery(reading<Page<SessionSeen>>('/sessions'));
  return (
    <Section title="Where you are signed in" intro="End what you do not know, then change your password." flush>
      {sessions.isPending && <Waiting />}
      {sessions.isError && <ProblemNote problem={sessions.error} onRetry={() => void sessions.refetch()} />}
      {sessions.isSuccess && <Table caption="Sessions" columns={columns} rows={sessions.data.data} keyOf={({ id }) => id} />}
    </Section>
  );
}

const columns: ReadonlyArray<Column<SessionSeen>> = [
  { title: 'Browser', cell: (session) => <Browser session={session} /> },
  { title: 'Signed in', cell: ({ created_at: at }) => <Time at={at} /> },
  { title: 'Last seen', cell: ({ last_seen_at: at }) => <Time at={at} /> },
  { title: 'Change', kind: 'actions', cell: (session) => !session.is_current && <End session={session} /> },
];

function Browser({ session }: { readonly session: SessionSeen }) {
  return (
    <>
      <strong>{browserOf(session.user_agent)}</strong>{' '}
      {session.is_current && <Chip word="This one" tone="good" meaning="The browser that you are looking at." />}
    </>
  );
}

function End({ session }: { readonly session: SessionSeen }) {
  const client = useQueryClient();
  const run = async () => {
    await api.delete(`/sessions/${session.id}`);
    await refresh(client, '/sessions');
  };
  const browser = browserOf(session.user_agent);
  return (
    <ConfirmButton label="End" of={`the session in ${browser}`} look="subtle" danger title="End this session?" confirm="End it" run={run}>
      <p>Whoever sits at {browser} there has to sign in again.</p>
    </ConfirmButton>
  );
}
