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

type Device = {
  readonly id: string;
  readonly user_agent: string;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly is_current: boolean;
};

/** Browsers that the account knows again. A sign-in from any other is mailed. */
export function Devices() {
  const devices = useQuery(reading<Page<Device>>('/profile/devices'));
  return (
    <Section title="Known devices" intro="You get an email when a browser that is not listed here signs in." flush>
      {devices.isPending && <Waiting />}
      {devices.isError && <ProblemNote problem={devices.error} onRetry={() => void devices.refetch()} />}
      {devices.isSuccess && <Table caption="Known devices" columns={columns} rows={devices.data.data} keyOf={({ id }) => id} />}
    </Section>
  );
}

const columns: ReadonlyArray<Column<Device>> = [
  {
    title: 'Browser',
    cell: (device) => (
      <>
        <strong>{browserOf(device.user_agent)}</strong>{' '}
        {device.is_current && <Chip word="This one" tone="good" meaning="The browser that you are looking at." />}
      </>
    ),
  },
  { title: 'First sign-in', cell: ({ created_at: at }) => <Time at={at} /> },
  { title: 'Last sign-in', cell: ({ last_seen_at: at }) => <Time at={at} /> },
  { title: 'Change', kind: 'actions', cell: (device) => !device.is_current && <Forget device={device} /> },
];

function Forget({ device }: { readonly device: Device }) {
  const client = useQueryClient();
  const browser = browserOf(device.user_agent);
  const run = async () => {
    await api.delete(`/profile/devices/${device.id}`);
    await Promise.all([refresh(client, '/profile/devices'), refresh(client, '/sessions')]);
  };
  return (
    <ConfirmButton label="Forget" of={browser} look="subtle" danger title="Forget this device?" confirm="Forget it" run={run}>
      <p>Its sessions end. You get an email when it signs in again.</p>
    </ConfirmButton>
  );
}
