import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { Copyable } from '../parts/copy.tsx';
import { useAction } from '../parts/dialog.tsx';
import { Drawer, DrawerPart } from '../parts/drawer.tsx';
import { Facts } from '../parts/facts.tsx';
import { indentJson } from '../parts/indent-json.ts';
import { newKey } from '../parts/new-key.ts';
import { ProblemNote } from '../parts/problem-note.tsx';
import { refresh } from '../parts/reading.ts';
import { Waiting } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { DeliveryChip } from './webhook-chips.tsx';
import { isDueSoon } from './webhook-deliveries.tsx';
import { deliveriesPath, deliveryReading, type Attempt, type WebhookEndpoint, type WholeDelivery } from './webhooks-api.ts';
import styles from './webhooks.module.css';

type DeliveryDrawerProps = {
  readonly store: string;
  readonly endpoint: WebhookEndpoint;
  readonly id: string | undefined;
  readonly mayChange: boolean;
  readonly close: () => void;
};

const lookAgainMs = 2_000;

/** One thing that was told: the bytes that were sent, and each attempt with its answer. */
export function DeliveryDrawer({ store, endpoint, id, mayChange, close }: DeliveryDrawerProps) {
  const found = useQuery({
    ...deliveryReading(store, endpoint.id, id ?? ''),
    enabled: id !== undefined,
    refetchInterval: (query) => (query.state.data && isDueSoon(query.state.data) ? lookAgainMs : false),
  });
  return (
    <Drawer title={found.data?.type ?? 'Delivery'} opened={id !== undefined} onClose={close}>
      {found.isPending && <Waiting />}
      {found.isError && <ProblemNote problem={found.error} onRetry={() => void found.refetch()} />}
      {found.isSuccess && (
        <>
          <What delivery={found.data} />
          {mayChange && <SendAgain store={store} endpoint={endpoint} delivery={found.data} />}
          <DrawerPart title="Attempts">
            <Attempts made={found.data.attempts_made} />
          </DrawerPart>
          <DrawerPart title="What is sent">
            <p className={styles.quiet}>Shown with a line for each field; the bytes that are signed have none.</p>
            <Copyable value={indentJson(found.data.body)} label="the body" />
          </DrawerPart>
        </>
      )}
    </Drawer>
  );
}

function What({ delivery }: { readonly delivery: WholeDelivery }) {
  const { event_id: event, at, next_try_at: next, ended_at: ended } = delivery;
  return (
    <Facts
      facts={[
        ['State', <DeliveryChip key="s" delivery={delivery} />],
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

type SendAgainProps = { readonly store: string; readonly endpoint: WebhookEndpoint; readonly delivery: WholeDelivery };

function SendAgain({ store, endpoint, delivery }: SendAgainProps) {
  const client = useQueryClient();
  const again = useAction(async () => {
    const path = deliveriesPath(store, endpoint.id);
    await api.post(`${path}/${delivery.id}/resend`, {}, newKey());
    await refresh(client, path);
  });
  if (!endpoint.is_enabled) return <p className={styles.quiet}>It can be sent again once the endpoint is switched on.</p>;
  return (
    <div className={styles.again}>
      {again.problem && <ProblemNote problem={again.problem} />}
      <Button size="xs" variant="default" loading={again.running} disabled={isDueSoon(delivery)} onClick={again.run}>
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
