import { Button } from '../../ui/button.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { WebhookEndpoint, CreatedWebhookEndpoint } from '../../../../sdk/src/api-schema.ts';
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
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

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
      {t.webhooks.add_endpoint}
    </Button>
  );
  return (
    <Page title={t.webhooks.webhooks} intro={t.webhooks.send_events_about_commissions_invo}>
      <Section title={t.webhooks.endpoints} intro={t.webhooks.urls_that_receive_events} flush actions={list.rows.length > 0 && addButton}>
        <ListView
          caption={t.webhooks.webhook_endpoints}
          list={list}
          keyOf={({ id }) => id}
          columns={columnsOf(store)}
          empty={
            <EmptyState title={t.webhooks.no_endpoints_yet} action={addButton}>
              {t.webhooks.add_the_url_of_your}
            </EmptyState>
          }
        />
      </Section>
      <Dialog title={t.webhooks.add_endpoint} opened={isAdding} onClose={() => setAdding(false)}>
        <AddEndpointForm store={store} done={handleCreated} />
      </Dialog>
      <WebhookSecretShown {...shown} />
    </Page>
  );
}

export const WebhookSecretShown = (shown: ReturnType<typeof useSecretDialog>) => (
  <SecretDialog what={t.webhooks.webhook_secret} {...shown}>
    {rich(t.webhooks.use_it_to_verify_the, { code: <code /> })}
  </SecretDialog>
);

const columnsOf = (store: string): ReadonlyArray<Column<WebhookEndpoint>> => [
  {
    title: t.webhooks.url,
    cell: ({ id, url, description }) => (
      <>
        <TextLink className={styles.address ?? ''} to="/stores/$store/webhooks/$endpoint" params={{ store, endpoint: id }}>
          {url}
        </TextLink>
        {description !== null && <div className={styles.muted}>{description}</div>}
      </>
    ),
  },
  { title: t.webhooks.state, cell: (endpoint) => <EndpointStatusChip endpoint={endpoint} /> },
  { title: t.webhooks.events, cell: ({ events }) => <span className={styles.events}>{eventsText(events)}</span> },
  { title: t.webhooks.added, cell: ({ created_at: at }) => <Time at={at} dateOnly /> },
];
