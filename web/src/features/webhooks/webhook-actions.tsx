import { Button } from '../../ui/button.tsx';
import { toasts } from '../../ui/toasts.ts';
import { useQueryClient, useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { WebhookEndpoint } from '../../../../sdk/src/api-schema.ts';
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
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

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
      toasts.show({ message: t.webhook_actions.test_event_sent_see_deliveries });
      await refresh(client, endpointPath(store, id));
    },
  });
  return (
    <>
      <Button variant="default" size="xs" loading={send.isPending} onClick={() => send.mutate()}>
        {t.webhook_actions.send_test_event}
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
        {t.webhook_actions.edit}
      </Button>
      <Dialog title={t.webhook_actions.edit_endpoint} opened={opened} onClose={() => setOpened(false)}>
        <EditEndpointForm store={store} endpoint={endpoint} done={done} />
      </Dialog>
    </>
  );
}

const hoursOptions = [
  { value: '24', label: t.webhook_actions.for_24_hours },
  { value: '72', label: t.webhook_actions.for_72_hours },
  { value: '0', label: t.webhook_actions.no_overlap_because_the_secret },
];

/** Events are signed with both secrets for some hours, so that the receiver can switch at any time. */
function NewSecretButton({ store, endpoint: { id } }: ActionsProps) {
  const [opened, setOpened] = useState(false);
  const shown = useSecretDialog();
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpened(true)}>
        {t.webhook_actions.rotate_secret}
      </Button>
      <Dialog title={t.webhook_actions.rotate_secret_2} opened={opened} onClose={() => setOpened(false)}>
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
          submit={t.webhook_actions.rotate_secret_2}
        >
          <SelectField
            name="previous_valid_hours"
            label={t.webhook_actions.previous_secret_stays_valid}
            description={t.webhook_actions.requests_are_signed_with_both}
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
    <ConfirmButton
      label={t.webhook_actions.pause}
      title={t.webhook_actions.pause_this_endpoint}
      confirm={t.webhook_actions.pause_endpoint}
      run={run}
    >
      <p>{t.webhook_actions.no_events_are_sent_until}</p>
      <p>{t.webhook_actions.waiting_deliveries_are_canceled_yo}</p>
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
        {t.webhook_actions.turn_on}
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
    <ConfirmButton
      label={t.webhook_actions.remove}
      danger
      title={t.webhook_actions.remove_this_endpoint}
      confirm={t.webhook_actions.remove_endpoint}
      run={run}
    >
      <p>{rich(t.webhook_actions.no_more_events_are_sent, { b: <strong>{url}</strong> })}</p>
    </ConfirmButton>
  );
}
