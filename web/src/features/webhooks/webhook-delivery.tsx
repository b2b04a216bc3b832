import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { CopyableValue } from '../../ui/copy.tsx';
import { useAction } from '../../ui/dialog.tsx';
import { Drawer, DrawerSection } from '../../ui/drawer.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { indentJson } from '../../ui/indent-json.ts';
import { newIdempotencyKey } from '../../ui/idempotency-key.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { refresh } from '../../ui/queries.ts';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { DeliveryStatusChip } from './webhook-status-chips.tsx';
import { isDueSoon } from './webhook-deliveries.tsx';
import { deliveriesPath, deliveryQuery, type Attempt, type WebhookEndpoint, type DeliveryDetails } from './webhooks-api.ts';
import styles from './webhooks.module.css';

type DeliveryDrawerProps = {
  readonly store: string;
  readonly endpoint: WebhookEndpoint;
  readonly id: string | undefined;
  readonly mayChange: boolean;
  readonly close: () => void;
};

const refreshMs = 2_000;

/** One delivery: the bytes that were sent, and each attempt with its response. */
export function DeliveryDrawer({ store, endpoint, id, mayChange, close }: DeliveryDrawerProps) {
  const found = useQuery({
    ...deliveryQuery(store, endpoint.id, id ?? ''),
    enabled: id !== undefined,
    refetchInterval: (query) => (query.state.data && isDueSoon(query.state.data) ? refreshMs : false),
  });
  return (
    <Drawer title={found.data?.type ?? 'Delivery'} opened={id !== undefined} onClose={close}>
      {found.isPending && <LoadingSkeleton />}
      {found.isError && <ErrorAlert error={found.error} onRetry={() => void found.refetch()} />}
      {found.isSuccess && (
        <>
          <DeliveryDetailList delivery={found.data} />
          {mayChange && <ResendButton store={store} endpoint={endpoint} delivery={found.data} />}
          <DrawerSection title="Attempts">
            <Attempts made={found.data.attempts_made} />
          </DrawerSection>
          <DrawerSection title="What is sent">
            <p className={styles.quiet}>Shown with a line for each field; the bytes that are signed have none.</p>
            <CopyableValue value={indentJson(found.data.body)} label="the body" />
          </DrawerSection>
        </>
      )}
    </Drawer>
  );
}

function DeliveryDetailList({ delivery }: { readonly delivery: DeliveryDetails }) {
  const { event_id: event, at, next_try_at: next, ended_at: ended } = delivery;
  return (
    <DescriptionList
      facts={[
        ['State', <DeliveryStatusChip key="s" delivery={delivery} />],
        ['Happened', <Time key="h" at={at} />],
        ...(next === null ? [] : [['Is tried next', <Time key="n" at={next} />] as const]),
        ...(ended === null ? [] : [['Ended', <Time key="e" at={ended} />] as const]),
        [
          'webhook-id',
          <span key="i" className="mono">
            {event}
          </span>,
        ],
      ]}
    />
  );
}

type ResendButtonProps = { readonly store: string; readonly endpoint: WebhookEndpoint; readonly delivery: DeliveryDetails };

function ResendButton({ store, endpoint, delivery }: ResendButtonProps) {
  const client = useQueryClient();
  const resend = useAction(async () => {
    const path = deliveriesPath(store, endpoint.id);
    await api.post(`${path}/${delivery.id}/resend`, {}, newIdempotencyKey());
    await refresh(client, path);
  });
  if (!endpoint.is_enabled) return <p className={styles.quiet}>It can be sent again once the endpoint is switched on.</p>;
  return (
    <div className={styles.again}>
      {resend.problem && <ErrorAlert error={resend.problem} />}
      <Button size="xs" variant="default" loading={resend.running} disabled={isDueSoon(delivery)} onClick={resend.run}>
        Send again
      </Button>
      <span className={styles.quiet}>The webhook-id stays, so that your program knows it again.</span>
    </div>
  );
}

function Attempts({ made }: { readonly made: readonly Attempt[] }) {
  if (made.length === 0) return <p>None yet: it is sent within seconds.</p>;
  return (
    <ol className={styles.attempts}>
      {made.map(({ number, at, took_ms: took, status, fault, answer }) => (
        <li key={number} value={number}>
          <span className={styles.attempt}>
            <strong>{status === null ? 'No answer' : `HTTP ${status}`}</strong>
            <span className={styles.quiet}>
              <Time at={at} />, {took.toLocaleString('en-GB')} ms
            </span>
          </span>
          {fault !== null && <span>{fault}</span>}
          {answer !== null && answer !== '' && <code className={styles.answer}>{answer}</code>}
        </li>
      ))}
    </ol>
  );
}
