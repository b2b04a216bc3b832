import type { WebhookDelivery, WebhookEndpoint } from '../../api/api-schema.ts';
import { Chip } from '../../ui/chip.tsx';
import { formatTime } from '../../ui/time.tsx';
import { t } from './messages.ts';

/** The status of an endpoint and what happens automatically. */
export function EndpointStatusChip({
  endpoint,
}: {
  readonly endpoint: Pick<WebhookEndpoint, 'disabled_why' | 'is_enabled' | 'failing_since'>;
}) {
  const { is_enabled: isEnabled, disabled_why: why, failing_since: since } = endpoint;
  if (isEnabled && since === null)
    return <Chip label={t.webhook_status_chips.on} tone="good" meaning={t.webhook_status_chips.it_is_told_what_happens} />;
  if (isEnabled)
    return (
      <Chip
        label={t.webhook_status_chips.failing}
        tone="bad"
        meaning={t.webhook_status_chips.it_takes_nothing_since_it({ time: formatTime(since ?? '') })}
      />
    );
  switch (why) {
    case 'failing':
      return <Chip label={t.webhook_status_chips.switched_off} tone="bad" meaning={t.webhook_status_chips.it_took_nothing_for_five} />;
    case 'gone':
      return <Chip label={t.webhook_status_chips.switched_off} tone="bad" meaning={t.webhook_status_chips.it_answered_410_which_means} />;
    case 'by_hand':
    case null:
      return <Chip label={t.webhook_status_chips.paused} tone="neutral" meaning={t.webhook_status_chips.somebody_of_the_store_paused} />;
  }
}

export function DeliveryStatusChip({ delivery: { state, attempts, next_try_at: next } }: { readonly delivery: WebhookDelivery }) {
  switch (state) {
    case 'delivered':
      return <Chip label={t.webhook_status_chips.delivered} tone="good" meaning={t.webhook_status_chips.the_endpoint_took_it_it} />;
    case 'failed':
      return <Chip label={t.webhook_status_chips.not_delivered} tone="bad" meaning={t.webhook_status_chips.it_is_not_tried_again} />;
    case 'waiting':
      return attempts === 0 || next === null ? (
        <Chip label={t.webhook_status_chips.on_its_way} tone="wait" meaning={t.webhook_status_chips.it_is_sent_within_seconds} />
      ) : (
        <Chip
          label={t.webhook_status_chips.waiting}
          tone="wait"
          meaning={t.webhook_status_chips.it_was_not_taken_so({ next: formatTime(next) })}
        />
      );
  }
}
