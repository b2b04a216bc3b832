import type { WebhookDelivery, WebhookEndpoint } from '../../../../sdk/src/api-schema.ts';
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
    return <Chip label={t.webhook_status_chips.on} tone="good" meaning={t.webhook_status_chips.events_are_sent_within_seconds} />;
  if (isEnabled)
    return (
      <Chip
        label={t.webhook_status_chips.failing}
        tone="bad"
        meaning={t.webhook_status_chips.deliveries_have_failed_since_they({ time: formatTime(since ?? '') })}
      />
    );
  switch (why) {
    case 'failing':
      return <Chip label={t.webhook_status_chips.turned_off} tone="bad" meaning={t.webhook_status_chips.deliveries_failed_for_five_days} />;
    case 'gone':
      return <Chip label={t.webhook_status_chips.turned_off} tone="bad" meaning={t.webhook_status_chips.it_returned_410_gone} />;
    case 'by_hand':
    case null:
      return <Chip label={t.webhook_status_chips.paused} tone="neutral" meaning={t.webhook_status_chips.a_team_member_paused_it} />;
  }
}

export function DeliveryStatusChip({ delivery: { state, attempts, next_try_at: next } }: { readonly delivery: WebhookDelivery }) {
  switch (state) {
    case 'delivered':
      return <Chip label={t.webhook_status_chips.delivered} tone="good" meaning={t.webhook_status_chips.the_endpoint_returned_a_2xx} />;
    case 'failed':
      return <Chip label={t.webhook_status_chips.failed} tone="bad" meaning={t.webhook_status_chips.it_is_not_retried_automatically} />;
    case 'waiting':
      return attempts === 0 || next === null ? (
        <Chip label={t.webhook_status_chips.sending} tone="wait" meaning={t.webhook_status_chips.it_is_sent_within_seconds} />
      ) : (
        <Chip
          label={t.webhook_status_chips.waiting}
          tone="wait"
          meaning={t.webhook_status_chips.the_last_attempt_failed_the({ next: formatTime(next) })}
        />
      );
  }
}
