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

type Device = {
  readonly id: string;
  readonly user_agent: string;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly is_current: boolean;
};

/** Known browsers. A sign-in from any other one is announced by email. */
export function Devices() {
  const devices = useQuery(apiQuery<Page<Device>>('/profile/devices'));
  return (
    <Section title="Known devices" intro="You get an email when a browser that is not listed here signs in." flush>
      {devices.isPending && <LoadingSkeleton />}
      {devices.isError && <ErrorAlert error={devices.error} onRetry={() => void devices.refetch()} />}
      {devices.isSuccess && <Table caption="Known devices" columns={columns} rows={devices.data.data} keyOf={({ id }) => id} />}
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
    await api.delete(`/profile/devices/${device.id}`);
    await Promise.all([refresh(client, '/profile/devices'), refresh(client, '/sessions')]);
  };
  return (
    <ConfirmButton label="Forget" subject={browser} variant="subtle" danger title="Forget this device?" confirm="Forget it" run={run}>
      <p>Its sessions end. You get an email when it signs in again.</p>
    </ConfirmButton>
  );
}
