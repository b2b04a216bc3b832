import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { ActiveSession, Device } from '../../api/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { Chip } from '../../ui/chip.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { formatCount } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';
import { apiQuery, refresh } from '../../ui/queries.ts';
import { Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

export function Sessions() {
  const sessions = useQuery(apiQuery('/sessions'));
  return (
    <Section title="Where you are signed in" intro="End what you do not know, then change your password." flush>
      <QueryView query={sessions}>
        {(page) => <Table caption="Sessions" columns={sessionColumns} rows={page.data} keyOf={({ id }) => id} />}
      </QueryView>
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
    await api.delete(apiPath('/sessions/{session}', { session: session.id }));
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

/** Known browsers. A sign-in from any other one is announced by email. */
export function Devices() {
  const devices = useQuery(apiQuery('/profile/devices'));
  return (
    <Section title="Known devices" intro="You get an email when a browser that is not listed here signs in." flush>
      <QueryView query={devices}>
        {(page) => <Table caption="Known devices" columns={columns} rows={page.data} keyOf={({ id }) => id} />}
      </QueryView>
    </Section>
  );
}

const columns: ReadonlyArray<Column<Device>> = [
  {
    title: 'Browser',
    cell: (device) => (
      <>
        <strong>{browserName(device.user_agent)}</strong>{' '}
        {device.is_current && <Chip label="This one" tone="good" meaning="The browser that you are looking at." />}
      </>
    ),
  },
  { title: 'First sign-in', cell: ({ created_at: at }) => <Time at={at} /> },
  { title: 'Last sign-in', cell: ({ last_seen_at: at }) => <Time at={at} /> },
  { title: 'Change', kind: 'actions', cell: (device) => !device.is_current && <ForgetDeviceButton device={device} /> },
];

function ForgetDeviceButton({ device }: { readonly device: Device }) {
  const client = useQueryClient();
  const browser = browserName(device.user_agent);
  const run = async () => {
    await api.delete(apiPath('/profile/devices/{device}', { device: device.id }));
    await Promise.all([refresh(client, '/profile/devices'), refresh(client, '/sessions')]);
  };
  return (
    <ConfirmButton label="Forget" subject={browser} variant="subtle" danger title="Forget this device?" confirm="Forget it" run={run}>
      <p>Its sessions end. You get an email when it signs in again.</p>
    </ConfirmButton>
  );
}

/** For people who suspect that their account was taken over. */
export function EndAllAccess() {
  const client = useQueryClient();
  const end = (keys: boolean) => async () => {
    const ended = await api.post('/profile/end-all', { keys });
    await Promise.all(['/sessions', '/profile/devices', '/profile/api-keys'].map((path) => refresh(client, path)));
    const sessions = formatCount(ended.sessions_ended, 'other session', 'other sessions');
    notifications.show({ message: `Ended ${sessions} and revoked ${formatCount(ended.keys_revoked, 'API key', 'API keys')}.` });
  };
  return (
    <Section title="Did somebody else get in?" intro="End every access but this one, then change your password.">
      <div style={{ display: 'flex', gap: 8, flexWrap: 'wrap' }}>
        <ConfirmButton
          label="End all sessions and keys"
          title="End all sessions and keys?"
          confirm="End all of them"
          danger
          run={end(true)}
        >
          <p>
            All your other sessions end, other devices are forgotten, and programs that use an API key you created are refused immediately.
          </p>
        </ConfirmButton>
        <ConfirmButton label="End other sessions only" title="End all other sessions?" confirm="End the sessions" run={end(false)}>
          <p>All your other sessions end and other devices are forgotten. Your API keys keep working.</p>
        </ConfirmButton>
      </div>
    </Section>
  );
}

/** "Firefox on Linux", so that people recognize their devices. User agents name several browsers, so the order matters. */
function browserName(userAgent: string): string {
  const browser = browsers.find(([mark]) => userAgent.includes(mark))?.[1];
  const system = systems.find(([mark]) => userAgent.includes(mark))?.[1];
  if (browser === undefined) return userAgent === '' ? 'An unknown program' : userAgent.slice(0, shownMax);
  return system === undefined ? browser : `${browser} on ${system}`;
}

const shownMax = 60;

const browsers = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser', 'Samsung Internet'],
  ['Firefox', 'Firefox'],
  ['FxiOS', 'Firefox'],
  ['CriOS', 'Chrome'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const;

const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const;
