import { Button } from '../../ui/button.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { StripeConnection } from '../../../../sdk/src/api-schema.ts';
import { ConfirmButton, Dialog } from '../../ui/dialog.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form, type Values } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import { Time } from '../../ui/time.tsx';
import { stripePath } from './stripe-api.ts';
import { t } from './messages.ts';

const secretLengthMax = 300;

type ConnectionProps = { readonly store: string; readonly connection: StripeConnection; readonly mayChange: boolean };

/** The form that connects the account, or what is connected. */
export function ConnectionSection({ store, connection, mayChange }: ConnectionProps) {
  if (connection.is_connected)
    return (
      <Section title={t.stripe.connection} actions={mayChange && <ConnectionActions store={store} connection={connection} />}>
        <ConnectionDetails connection={connection} />
      </Section>
    );
  if (!mayChange) return null;
  return (
    <Section title={t.stripe.connection} intro={t.stripe.connect_intro}>
      <SecretsForm store={store} connection={connection} />
    </Section>
  );
}

type FormProps = { readonly store: string; readonly connection: StripeConnection; readonly done?: () => void };

/** Empty fields keep what is saved, because saved secrets are never shown. */
function SecretsForm({ store, connection, done }: FormProps) {
  const client = useQueryClient();
  const { is_connected: isConnected, mode, api_key_last4: keyLast4 } = connection;
  const hint = t.stripe.api_key_hint({ mode: mode === 'live' ? 'live' : 'other' });
  return (
    <Form
      send={async (values) => api.put(stripePath(store), secretsIn(values))}
      done={async () => {
        await refresh(client, stripePath(store));
        done?.();
      }}
      submit={isConnected ? t.stripe.save : t.stripe.connect}
    >
      <TextField
        name="signing_secret"
        label={isConnected ? t.stripe.new_signing_secret : t.stripe.signing_secret}
        description={isConnected ? t.stripe.keep_secret : t.stripe.signing_secret_hint}
        optional={isConnected}
        autoComplete="off"
        spellCheck={false}
        maxLength={secretLengthMax}
      />
      <TextField
        name="api_key"
        label={t.stripe.api_key}
        description={keyLast4 === null ? hint : `${hint} ${t.stripe.keep_key}`}
        optional
        autoComplete="off"
        spellCheck={false}
        maxLength={secretLengthMax}
      />
    </Form>
  );
}

function secretsIn(values: Values) {
  const [secret, key] = [values.text('signing_secret'), values.text('api_key')];
  return { ...(secret !== '' && { signing_secret: secret }), ...(key !== '' && { api_key: key }) };
}

function ConnectionDetails({ connection }: { readonly connection: StripeConnection }) {
  const { connected_at: connected, last_event_at: last, signing_secret_last4: secret, api_key_last4: key, mode } = connection;
  const { previous_secret_valid_until: previous } = connection;
  return (
    <DescriptionList
      items={[
        [t.stripe.mode, mode === 'live' ? t.stripe.mode_live : t.stripe.mode_test],
        [t.stripe.signing_secret, t.stripe.ends_with({ last4: secret ?? '' })],
        ...(previous === null ? [] : [[t.stripe.previous_secret, <Time key="p" at={previous} />] as const]),
        [t.stripe.api_key, key === null ? t.stripe.no_key : t.stripe.ends_with({ last4: key })],
        ...(connected === null ? [] : [[t.stripe.connected_at, <Time key="c" at={connected} />] as const]),
        [t.stripe.last_event, last === null ? t.stripe.none_yet : <Time key="l" at={last} />],
      ]}
    />
  );
}

function ConnectionActions({ store, connection }: { readonly store: string; readonly connection: StripeConnection }) {
  const client = useQueryClient();
  const [opened, setOpened] = useState(false);
  const change = async (work: Promise<unknown>) => {
    await work;
    await refresh(client, stripePath(store));
  };
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpened(true)}>
        {t.stripe.change}
      </Button>
      <Dialog title={t.stripe.change} opened={opened} onClose={() => setOpened(false)}>
        <SecretsForm store={store} connection={connection} done={() => setOpened(false)} />
      </Dialog>
      {connection.api_key_last4 !== null && (
        <ConfirmButton
          label={t.stripe.remove_key}
          title={t.stripe.remove_key_title}
          confirm={t.stripe.remove_key_confirm}
          run={() => change(api.put(stripePath(store), { api_key: null }))}
        >
          <p>{t.stripe.remove_key_effect}</p>
        </ConfirmButton>
      )}
      <ConfirmButton
        label={t.stripe.disconnect}
        danger
        title={t.stripe.disconnect_title}
        confirm={t.stripe.disconnect_confirm}
        run={() => change(api.delete(stripePath(store)))}
      >
        <p>{t.stripe.disconnect_events}</p>
        <p>{t.stripe.disconnect_orders}</p>
      </ConfirmButton>
    </>
  );
}
