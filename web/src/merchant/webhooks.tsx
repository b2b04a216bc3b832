import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { useHasRows } from '../parts/has-rows.ts';
import { TextLink } from '../parts/links.tsx';
import { Empty, Page, Section } from '../parts/page.tsx';
import { refresh } from '../parts/reading.ts';
import { ShownOnce, useShownOnce } from '../parts/shown-once.tsx';
import { PagedTable, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useMay } from '../people/may.ts';
import { EndpointChip } from './webhook-chips.tsx';
import { AddEndpointForm, type MadeEndpoint } from './webhook-form.tsx';
import { eventsInWords } from './webhook-words.ts';
import { endpointList, endpointsPath, type WebhookEndpoint } from './webhooks-api.ts';
import styles from './webhooks.module.css';

/** The merchant's own programs that are told what happens in the store. */
export function Webhooks() {
  const { store } = useParams({ from: '/inside/stores/$store' });
  const client = useQueryClient();
  const mayChange = useMay(store)('integration:write');
  const hasRows = useHasRows(endpointList(store));
  const [isAdding, setAdding] = useState(false);
  const shown = useShownOnce();
  const added = async ({ secret }: MadeEndpoint) => {
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
      <Section title="Endpoints" intro="Addresses that are told. A store has at most ten." flush actions={hasRows && addButton}>
        <PagedTable
          caption="Webhook endpoints"
          list={endpointList(store)}
          keyOf={({ id }) => id}
          columns={columnsOf(store)}
          empty={
            <Empty title="Nobody is told yet" action={addButton}>
              Name an address of your own program, and choose what it is told. A library for Standard Webhooks checks that a call is from
              here.
            </Empty>
          }
        />
      </Section>
      <Dialog title="Add an endpoint" opened={isAdding} onClose={() => setAdding(false)}>
        <AddEndpointForm store={store} done={added} />
      </Dialog>
      <WebhookSecretShown {...shown} />
    </Page>
  );
}

export const WebhookSecretShown = (shown: ReturnType<typeof useShownOnce>) => (
  <ShownOnce what="webhook secret" {...shown}>
    With it your program checks the header <code>webhook-signature</code> of each call. It belongs on your server.
  </ShownOnce>
);

const columnsOf = (store: string): ReadonlyArray<Column<WebhookEndpoint>> => [
  {
    title: 'Address',
    cell: ({ id, url, description }) => (
      <>
        <TextLink className={styles.address ?? ''} to="/stores/$store/webhooks/$endpoint" params={{ store, endpoint: id }}>
          {url}
        </TextLink>
        {description !== null && <div className={styles.quiet}>{description}</div>}
      </>
    ),
  },
  { title: 'State', cell: (endpoint) => <EndpointChip endpoint={endpoint} /> },
  { title: 'Told of', cell: ({ events }) => <span className={styles.events}>{eventsInWords(events)}</span> },
  { title: 'Added', cell: ({ created_at: at }) => <Time at={at} dateOnly /> },
];
