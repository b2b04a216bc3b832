import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient, useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { WebhookEndpoint } from '../../api/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { ConfirmButton, Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { newIdempotencyKey } from '../../ui/idempotency-key.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { refresh } from '../../ui/queries.ts';
import { useSecretDialog } from '../../ui/secret-dialog.tsx';
import { EditEndpointForm } from './webhook-form.tsx';
import { endpointPath, endpointsPath } from './webhooks-api.ts';
import { WebhookSecretShown } from './webhooks.tsx';

type ActionsProps = { readonly store: string; readonly endpoint: WebhookEndpoint };

/** The actions of an endpoint, the harmless ones first. */
export function EndpointActions({ store, endpoint }: ActionsProps) {
  return (
    <>
      {endpoint.is_enabled && <SendTestButton store={store} id={endpoint.id} />}
      <EditButton store={store} endpoint={endpoint} />
      <NewSecretButton store={store} endpoint={endpoint} />
      {endpoint.is_enabled && <PauseButton store={store} id={endpoint.id} />}
      <RemoveButton store={store} endpoint={endpoint} />
    </>
  );
}

type EndpointIdProps = { readonly store: string; readonly id: string };

function SendTestButton({ store, id }: EndpointIdProps) {
  const client = useQueryClient();
  const send = useMutation({
    mutationFn: async () => {
      await api.post(apiPath('/stores/{store}/webhook-endpoints/{endpoint}/test', { store, endpoint: id }), {}, newIdempotencyKey());
      notifications.show({ message: 'A test event is on its way. What becomes of it stands under Deliveries.' });
      await refresh(client, endpointPath(store, id));
    },
  });
  return (
    <>
      <Button variant="default" size="xs" loading={send.isPending} onClick={() => send.mutate()}>
        Send a test event
      </Button>
      <ErrorAlert error={send.error} />
    </>
  );
}

function EditButton({ store, endpoint }: ActionsProps) {
  const client = useQueryClient();
  const [opened, setOpened] = useState(false);
  const done = async () => {
    setOpened(false);
    await refresh(client, endpointsPath(store));
  };
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpened(true)}>
        Edit
      </Button>
      <Dialog title="Edit the endpoint" opened={opened} onClose={() => setOpened(false)}>
        <EditEndpointForm store={store} endpoint={endpoint} done={done} />
      </Dialog>
    </>
  );
}

const hoursOptions = [
  { value: '24', label: 'For 24 hours' },
  { value: '72', label: 'For 72 hours' },
  { value: '0', label: 'Not at all: somebody else may know it' },
];

/** Events are signed with both secrets for some hours, so that the receiver can switch at any time. */
function NewSecretButton({ store, endpoint: { id } }: ActionsProps) {
  const [opened, setOpened] = useState(false);
  const shown = useSecretDialog();
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpened(true)}>
        New secret
      </Button>
      <Dialog title="Make a new secret" opened={opened} onClose={() => setOpened(false)}>
        <Form
          send={async (values, key) =>
            api.post(
              apiPath('/stores/{store}/webhook-endpoints/{endpoint}/rotate-secret', { store, endpoint: id }),
              { previous_valid_hours: Number(values.text('previous_valid_hours')) },
              key,
            )
          }
          done={({ secret }) => {
            setOpened(false);
            shown.show(secret);
          }}
          submit="Make a new secret"
        >
          <SelectField
            name="previous_valid_hours"
            label="The one before stays right"
            description="Meanwhile each call is signed with both, so that you can change it on your side at any moment."
            data={hoursOptions}
          />
        </Form>
      </Dialog>
      <WebhookSecretShown {...shown} />
    </>
  );
}

function PauseButton({ store, id }: EndpointIdProps) {
  const client = useQueryClient();
  const run = async () => {
    await api.patch(endpointPath(store, id), { is_enabled: false });
    await refresh(client, endpointsPath(store));
  };
  return (
    <ConfirmButton label="Pause" title="Pause this endpoint?" confirm="Pause it" run={run}>
      <p>Nothing is sent to it until somebody switches it on again. What happens meanwhile is not sent afterwards.</p>
      <p>What still waits to be sent is given up; each of these can be sent again by hand, once it is on.</p>
    </ConfirmButton>
  );
}

export function EnableButton({ store, id }: EndpointIdProps) {
  const client = useQueryClient();
  const enable = useMutation({
    mutationFn: async () => {
      await api.patch(endpointPath(store, id), { is_enabled: true });
      await refresh(client, endpointsPath(store));
    },
  });
  return (
    <>
      <ErrorAlert error={enable.error} />
      <Button size="xs" loading={enable.isPending} onClick={() => enable.mutate()}>
        Switch it on
      </Button>
    </>
  );
}

function RemoveButton({ store, endpoint: { id, url } }: ActionsProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const run = async () => {
    await api.delete(endpointPath(store, id));
    await navigate({ to: '/stores/$store/webhooks', params: { store } });
    await refresh(client, endpointsPath(store));
  };
  return (
    <ConfirmButton label="Remove" danger title="Remove this endpoint?" confirm="Remove it" run={run}>
      <p>
        Nothing is sent to <strong>{url}</strong> any more. Its secret, and the list of what it was told, are gone. It cannot be undone.
      </p>
    </ConfirmButton>
  );
}
