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
import { t } from './messages.ts';

export function Sessions() {
  const sessions = useQuery(apiQuery('/sessions'));
  return (
    <Section title={t.sessions.where_you_are_signed_in} intro={t.sessions.end_what_you_do_not} flush>
      <QueryView query={sessions}>
        {(page) => <Table caption={t.sessions.sessions} columns={sessionColumns} rows={page.data} keyOf={({ id }) => id} />}
      </QueryView>
    </Section>
  );
}

const sessionColumns: ReadonlyArray<Column<ActiveSession>> = [
  { title: t.sessions.browser, cell: (session) => <Browser session={session} /> },
  { title: t.sessions.signed_in, cell: ({ created_at: at }) => <Time at={at} /> },
  { title: t.sessions.last_seen, cell: ({ last_seen_at: at }) => <Time at={at} /> },
  { title: t.sessions.change, kind: 'actions', cell: (session) => !session.is_current && <EndSessionButton session={session} /> },
];

function Browser({ session }: { readonly session: ActiveSession }) {
  return (
    <>
      <strong>{browserName(session.user_agent)}</strong>{' '}
      {session.is_current && <Chip label={t.sessions.this_one} tone="good" meaning={t.sessions.the_browser_that_you_are} />}
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
      label={t.sessions.end}
      subject={t.sessions.the_session_in({ browser })}
      variant="subtle"
      danger
      title={t.sessions.end_this_session}
      confirm={t.sessions.end_it}
      run={run}
    >
      <p>{t.sessions.whoever_sits_at_there_has({ browser })}</p>
    </ConfirmButton>
  );
}

/** Known browsers. A sign-in from any other one is announced by email. */
export function Devices() {
  const devices = useQuery(apiQuery('/profile/devices'));
  return (
    <Section title={t.sessions.known_devices} intro={t.sessions.you_get_an_email_when} flush>
      <QueryView query={devices}>
        {(page) => <Table caption={t.sessions.known_devices} columns={columns} rows={page.data} keyOf={({ id }) => id} />}
      </QueryView>
    </Section>
  );
}

const columns: ReadonlyArray<Column<Device>> = [
  {
    title: t.sessions.browser,
    cell: (device) => (
      <>
        <strong>{browserName(device.user_agent)}</strong>{' '}
        {device.is_current && <Chip label={t.sessions.this_one} tone="good" meaning={t.sessions.the_browser_that_you_are} />}
      </>
    ),
  },
  { title: t.sessions.first_sign_in, cell: ({ created_at: at }) => <Time at={at} /> },
  { title: t.sessions.last_sign_in, cell: ({ last_seen_at: at }) => <Time at={at} /> },
  { title: t.sessions.change, kind: 'actions', cell: (device) => !device.is_current && <ForgetDeviceButton device={device} /> },
];

function ForgetDeviceButton({ device }: { readonly device: Device }) {
  const client = useQueryClient();
  const browser = browserName(device.user_agent);
  const run = async () => {
    await api.delete(apiPath('/profile/devices/{device}', { device: device.id }));
    await Promise.all([refresh(client, '/profile/devices'), refresh(client, '/sessions')]);
  };
  return (
    <ConfirmButton
      label={t.sessions.forget}
      subject={browser}
      variant="subtle"
      danger
      title={t.sessions.forget_this_device}
      confirm={t.sessions.forget_it}
      run={run}
    >
      <p>{t.sessions.its_sessions_end_you_get}</p>
    </ConfirmButton>
  );
}

/** For people who suspect that their account was taken over. */
export function EndAllAccess() {
  const client = useQueryClient();
  const end = (keys: boolean) => async () => {
    const ended = await api.post('/profile/end-all', { keys });
    await Promise.all(['/sessions', '/profile/devices', '/profile/api-keys'].map((path) => refresh(client, path)));
    const sessions = formatCount(ended.sessions_ended, t.sessions.other_session, t.sessions.other_sessions);
    notifications.show({ message: t.sessions.ended_and_revoked({ sessions, keysRevoked: ended.keys_revoked }) });
  };
  return (
    <Section title={t.sessions.did_somebody_else_get_in} intro={t.sessions.end_every_access_but_this}>
      <div style={{ display: 'flex', gap: 8, flexWrap: 'wrap' }}>
        <ConfirmButton
          label={t.sessions.end_all_sessions_and_keys}
          title={t.sessions.end_all_sessions_and_keys_2}
          confirm={t.sessions.end_all_of_them}
          danger
          run={end(true)}
        >
          <p>{t.sessions.all_your_other_sessions_end}</p>
        </ConfirmButton>
        <ConfirmButton
          label={t.sessions.end_other_sessions_only}
          title={t.sessions.end_all_other_sessions}
          confirm={t.sessions.end_the_sessions}
          run={end(false)}
        >
          <p>{t.sessions.all_your_other_sessions_end_2}</p>
        </ConfirmButton>
      </div>
    </Section>
  );
}

/** "Firefox on Linux", so that people recognize their devices. User agents name several browsers, so the order matters. */
function browserName(userAgent: string): string {
  const browser = browsers.find(([mark]) => userAgent.includes(mark))?.[1];
  const system = systems.find(([mark]) => userAgent.includes(mark))?.[1];
  if (browser === undefined) return userAgent === '' ? t.sessions.an_unknown_program : userAgent.slice(0, shownMax);
  return system === undefined ? browser : t.sessions.on({ browser, system });
}

const shownMax = 60;

const browsers = [
  [t.sessions.edg, t.sessions.edge],
  ['OPR/', t.sessions.opera],
  ['SamsungBrowser', t.sessions.samsung_internet],
  [t.sessions.firefox, t.sessions.firefox],
  ['FxiOS', t.sessions.firefox],
  ['CriOS', t.sessions.chrome],
  [t.sessions.chrome, t.sessions.chrome],
  [t.sessions.safari, t.sessions.safari],
] as const;

const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  [t.sessions.android, t.sessions.android],
  [t.sessions.windows, t.sessions.windows],
  [t.sessions.mac_os, 'macOS'],
  ['CrOS', 'ChromeOS'],
  [t.sessions.linux, t.sessions.linux],
] as const;
