import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api.ts';
import { ConfirmButton, Dialog, useAction } from '../parts/dialog.tsx';
import { SelectField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { newKey } from '../parts/new-key.ts';
import { ProblemNote } from '../parts/problem-note.tsx';
import { refresh } from '../parts/reading.ts';
import { useShownOnce } from '../parts/shown-once.tsx';
import { EditEndpointForm } from './webhook-form.tsx';
import { endpointPath, endpointsPath, type WebhookEndpoint } from './webhooks-api.ts';
import { WebhookSecretShown } from './webhooks.tsx';

type ActionsProps = { readonly store: string; readonly endpoint: WebhookEndpoint };

/** What can be done with an endpoint, the harmless first. */
export function EndpointActions({ store, endpoint }: ActionsProps) {
  return (
    <>
      {endpoint.is_enabled && <SendTest store={store} id={endpoint.id} />}
      <Edit store={store} endpoint={endpoint} />
      <NewSecret store={store} endpoint={endpoint} />
      {endpoint.is_enabled && <Pause store={store} id={endpoint.id} />}
      <Remove store={store} endpoint={endpoint} />
    </>
  );
}

type OneProps = { readonly store: string; readonly id: string };

function SendTest({ store, id }: OneProps) {
  const client = useQueryClient();
  const send = useAction(async () => {
    await api.post(`${endpointPath(store, id)}/test`, {}, newKey());
    notifications.show({ message: 'A test event is on its way. What becomes of it stands under Deliveries.' });
    await refresh(client, endpointPath(store, id));
  });
  return (
    <>
      <Button variant="default" size="xs" loading={send.running} onClick={send.run}>
        Send a test event
      </Button>
      {send.problem && <ProblemNote problem={send.problem} />}
    </>
  );
}

function Edit({ store, endpoint }: ActionsProps) {
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

const hoursChoices = [
  { value: '24', label: 'For 24 hours' },
  { value: '72', label: 'For 72 hours' },
  { value: '0', label: 'Not at all: somebody else may know it' },
];

/** Events are signed with both meanwhile, so that no moment has to be agreed on with the program that checks them. */
function NewSecret({ store, endpoint: { id } }: ActionsProps) {
  const [opened, setOpened] = useState(false);
  const shown = useShownOnce();
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpened(true)}>
        New secret
      </Button>
      <Dialog title="Make a new secret" opened={opened} onClose={() => setOpened(false)}>
        <Form
          send={async (values, key) =>
            api.post<{ readonly secret: string }>(
              `${endpointPath(store, id)}/rotate-secret`,
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
            data={hoursChoices}
          />
        </Form>
      </Dialog>
      <WebhookSecretShown {...shown} />
    </>
  );
}

function Pause({ store, id }: OneProps) {
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

export function SwitchOn({ store, id }: OneProps) {
  const client = useQueryClient();
  const on = useAction(async () => {
    await api.patch(endpointPath(store, id), { is_enabled: true });
    await refresh(client, endpointsPath(store));
  });
  return (
    <>
      {on.problem && <ProblemNote problem={on.problem} />}
      <Button size="xs" loading={on.running} onClick={on.run}>
        Switch it on
      </Button>
    </>
  );
}

function Remove({ store, endpoint: { id, url } }: ActionsProps) {
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
