import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { WebhookEndpoint, CreatedWebhookEndpoint } from '../../api/api-schema.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { refresh } from '../../ui/queries.ts';
import { TextLink } from '../../ui/links.tsx';
import { ListView, useShortList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { SecretDialog, useSecretDialog } from '../../ui/secret-dialog.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { usePermission } from '../access/permissions.tsx';
import { EndpointStatusChip } from './webhook-status-chips.tsx';
import { AddEndpointForm } from './webhook-form.tsx';
import { eventsText } from './webhook-events.ts';
import { endpointsPath } from './webhooks-api.ts';
import styles from './webhooks.module.css';

/** The endpoints that receive the store's events. */
export function Webhooks() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const client = useQueryClient();
  const mayChange = usePermission(store)('integration:write');
  const list = useShortList(endpointsPath(store));
  const [isAdding, setAdding] = useState(false);
  const shown = useSecretDialog();
  const handleCreated = async ({ secret }: CreatedWebhookEndpoint) => {
    setAdding(false);
    shown.show(secret);
    await refresh(client, endpointsPath(store));
  };
  const addButton = mayChange && (
    <Button size="xs" variant="default" onClick={() => setAdding(true)}>
      Add an endpoint
    </Button>
  );
  return (
    <Page
      title="Webhooks"
      intro="Your own programs can be told what happens here: of commissions, invoices and tracking. Each call is signed, by the Standard Webhooks form."
    >
      <Section
        title="Endpoints"
        intro="Addresses that are told. A store has at most ten."
        flush
        actions={list.rows.length > 0 && addButton}
      >
        <ListView
          caption="Webhook endpoints"
          list={list}
          keyOf={({ id }) => id}
          columns={columnsOf(store)}
          empty={
            <EmptyState title="Nobody is told yet" action={addButton}>
              Name an address of your own program, and choose what it is told. A library for Standard Webhooks checks that a call is from
              here.
            </EmptyState>
          }
        />
      </Section>
      <Dialog title="Add an endpoint" opened={isAdding} onClose={() => setAdding(false)}>
        <AddEndpointForm store={store} done={handleCreated} />
      </Dialog>
      <WebhookSecretShown {...shown} />
    </Page>
  );
}

export const WebhookSecretShown = (shown: ReturnType<typeof useSecretDialog>) => (
  <SecretDialog what="webhook secret" {...shown}>
    With it your program checks the header <code>webhook-signature</code> of each call. It belongs on your server.
  </SecretDialog>
);

const columnsOf = (store: string): ReadonlyArray<Column<WebhookEndpoint>> => [
  {
    title: 'Address',
    cell: ({ id, url, description }) => (
      <>
        <TextLink className={styles.address ?? ''} to="/stores/$store/webhooks/$endpoint" params={{ store, endpoint: id }}>
          {url}
        </TextLink>
        {description !== null && <div className={styles.muted}>{description}</div>}
      </>
    ),
  },
  { title: 'State', cell: (endpoint) => <EndpointStatusChip endpoint={endpoint} /> },
  { title: 'Told of', cell: ({ events }) => <span className={styles.events}>{eventsText(events)}</span> },
  { title: 'Added', cell: ({ created_at: at }) => <Time at={at} dateOnly /> },
];
