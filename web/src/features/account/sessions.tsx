import { toasts } from '../../ui/toasts.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { ActiveSession, Device } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { Chip } from '../../ui/chip.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { Section } from '../../ui/page.tsx';
import { apiQuery, refresh } from '../../ui/queries.ts';
import { Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { t } from './messages.ts';

export function Sessions() {
  const sessions = useQuery(apiQuery('/sessions'));
  return (
    <Section title={t.sessions.active_sessions} intro={t.sessions.sign_out_sessions_that_you} flush>
      <QueryView query={sessions}>
        {(page) => <Table caption={t.sessions.sessions} columns={sessionColumns} rows={page.data} keyOf={({ id }) => id} />}
      </QueryView>
    </Section>
  );
}

const sessionColumns: ReadonlyArray<Column<ActiveSession>> = [
  { title: t.sessions.browser, cell: (session) => <Browser session={session} /> },
  { title: t.sessions.signed_in, cell: ({ created_at: at }) => <Time at={at} /> },
  { title: t.sessions.last_active, cell: ({ last_seen_at: at }) => <Time at={at} /> },
  { title: t.sessions.actions, kind: 'actions', cell: (session) => !session.is_current && <EndSessionButton session={session} /> },
];

function Browser({ session }: { readonly session: ActiveSession }) {
  return (
    <>
      <strong>{browserName(session.user_agent)}</strong>{' '}
      {session.is_current && <Chip label={t.sessions.this_browser} tone="good" meaning={t.sessions.the_browser_youre_using_now} />}
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
      label={t.sessions.sign_out}
      subject={browser}
      variant="subtle"
      danger
      title={t.sessions.sign_out_this_session}
      confirm={t.sessions.sign_out_session}
      run={run}
    >
      <p>{t.sessions.will_have_to_sign_in({ browser })}</p>
    </ConfirmButton>
  );
}

/** Known browsers. A sign-in from any other one is announced by email. */
export function Devices() {
  const devices = useQuery(apiQuery('/profile/devices'));
  return (
    <Section title={t.sessions.known_devices} intro={t.sessions.we_email_you_when} flush>
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
        {device.is_current && <Chip label={t.sessions.this_browser} tone="good" meaning={t.sessions.the_browser_youre_using_now} />}
      </>
    ),
  },
  { title: t.sessions.first_sign_in, cell: ({ created_at: at }) => <Time at={at} /> },
  { title: t.sessions.last_sign_in, cell: ({ last_seen_at: at }) => <Time at={at} /> },
  { title: t.sessions.actions, kind: 'actions', cell: (device) => !device.is_current && <ForgetDeviceButton device={device} /> },
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
      label={t.sessions.remove}
      subject={browser}
      variant="subtle"
      danger
      title={t.sessions.remove_this_device}
      confirm={t.sessions.remove_device}
      run={run}
    >
      <p>{t.sessions.the_device_is_signed_out}</p>
    </ConfirmButton>
  );
}

/** For people who suspect that their account was taken over. */
export function EndAllAccess() {
  const client = useQueryClient();
  const end = (keys: boolean) => async () => {
    const ended = await api.post('/profile/end-all', { keys });
    await Promise.all(['/sessions', '/profile/devices', '/profile/api-keys'].map((path) => refresh(client, path)));
    toasts.show({
      message: t.sessions.signed_out_other_sessions_and({ sessions: ended.sessions_ended, keysRevoked: ended.keys_revoked }),
    });
  };
  return (
    <Section title={t.sessions.unauthorized_access} intro={t.sessions.if_someone_else_may_have}>
      <div style={{ display: 'flex', gap: 8, flexWrap: 'wrap' }}>
        <ConfirmButton
          label={t.sessions.sign_out_everywhere_and_revoke}
          title={t.sessions.sign_out_everywhere_and_revoke_2}
          confirm={t.sessions.sign_out_and_revoke}
          danger
          run={end(true)}
        >
          <p>{t.sessions.youll_be_signed_out_on}</p>
        </ConfirmButton>
        <ConfirmButton
          label={t.sessions.sign_out_everywhere_else}
          title={t.sessions.sign_out_of_all_other}
          confirm={t.sessions.sign_out_sessions}
          run={end(false)}
        >
          <p>{t.sessions.youll_be_signed_out_on_2}</p>
        </ConfirmButton>
      </div>
    </Section>
  );
}

/** "Firefox on Linux", so that people recognize their devices. User agents name several browsers, so the order matters. */
function browserName(userAgent: string): string {
  const browser = browsers.find(([mark]) => userAgent.includes(mark))?.[1];
  const system = systems.find(([mark]) => userAgent.includes(mark))?.[1];
  if (browser === undefined) return userAgent === '' ? t.sessions.unknown_browser : userAgent.slice(0, shownMax);
  return system === undefined ? browser : t.sessions.on({ browser, system });
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
