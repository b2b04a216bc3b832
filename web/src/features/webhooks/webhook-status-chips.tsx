import type { WebhookDelivery, WebhookEndpoint } from '../../api/api-schema.ts';
import { Chip } from '../../ui/chip.tsx';
import { formatTime } from '../../ui/time.tsx';

/** The status of an endpoint and what happens automatically. */
export function EndpointStatusChip({
  endpoint,
}: {
  readonly endpoint: Pick<WebhookEndpoint, 'disabled_why' | 'is_enabled' | 'failing_since'>;
}) {
  const { is_enabled: isEnabled, disabled_why: why, failing_since: since } = endpoint;
  if (isEnabled && since === null)
    return <Chip label="On" tone="good" meaning="It is told what happens, some seconds after it happened." />;
  if (isEnabled)
    return (
      <Chip
        label="Failing"
        tone="bad"
        meaning={`It takes nothing since ${formatTime(since ?? '')}. It is tried again; after five days it is switched off.`}
      />
    );
  switch (why) {
    case 'failing':
      return <Chip label="Switched off" tone="bad" meaning="It took nothing for five days. Nothing is sent until you switch it on." />;
    case 'gone':
      return <Chip label="Switched off" tone="bad" meaning="It answered 410, which means that nobody is there any more." />;
    case 'by_hand':
    case null:
      return <Chip label="Paused" tone="neutral" meaning="Somebody of the store paused it. Nothing is sent until you switch it on." />;
  }
}

export function DeliveryStatusChip({ delivery: { state, attempts, next_try_at: next } }: { readonly delivery: WebhookDelivery }) {
  switch (state) {
    case 'delivered':
      return <Chip label="Delivered" tone="good" meaning="The endpoint took it: it answered with 2xx." />;
    case 'failed':
      return <Chip label="Not delivered" tone="bad" meaning="It is not tried again by itself. Open it to see why, and to send it again." />;
    case 'waiting':
      return attempts === 0 || next === null ? (
        <Chip label="On its way" tone="wait" meaning="It is sent within seconds." />
      ) : (
        <Chip label="Waiting" tone="wait" meaning={`It was not taken so far. It is tried again at ${formatTime(next)}.`} />
      );
  }
}
