import type { Subscription, SubscriptionInvoice } from '../../api/api-schema.ts';
import { Chip } from '../../ui/chip.tsx';
import styles from './subscriptions.module.css';
import { t } from './messages.ts';

export function SubscriptionStatusChips({ subscription: { state, held, rule } }: { readonly subscription: Subscription }) {
  return (
    <span className={styles.chips}>
      {state === 'active' ? (
        <Chip label={t.subscription_status_chips.active} tone="good" meaning={t.subscription_status_chips.its_paid_invoices_earn_by} />
      ) : (
        <Chip label={t.subscription_status_chips.ended} tone="neutral" meaning={t.subscription_status_chips.your_server_reported_its_end} />
      )}
      {held && (
        <Chip
          label={t.subscription_status_chips.held}
          tone="bad"
          meaning={t.subscription_status_chips.an_invoice_was_for_another({
            value: held.reason === 'product_mismatch' ? 'product' : 'price',
          })}
        />
      )}
      {rule === null && (
        <Chip
          label={t.subscription_status_chips.without_commission}
          tone="neutral"
          meaning={t.subscription_status_chips.no_rule_of_the_program}
        />
      )}
    </span>
  );
}

export function InvoiceEarningsChip({ invoice }: { readonly invoice: SubscriptionInvoice }) {
  if (invoice.reversed_at !== null)
    return (
      <Chip label={t.subscription_status_chips.reversed} tone="bad" meaning={t.subscription_status_chips.the_invoice_was_refunded_so} />
    );
  switch (invoice.earns) {
    case 'commission':
      return (
        <Chip
          label={t.subscription_status_chips.earns}
          tone="good"
          meaning={invoice.explanation ?? t.subscription_status_chips.it_opened_a_commission}
        />
      );
    case 'waits':
      return <Chip label={t.subscription_status_chips.waits} tone="wait" meaning={t.subscription_status_chips.it_was_paid_while_the} />;
    case 'nothing':
      return (
        <Chip
          label={t.subscription_status_chips.earns_nothing}
          tone="neutral"
          meaning={invoice.explanation ?? t.subscription_status_chips.it_opened_no_commission}
        />
      );
    case 'not_paid':
      return <Chip label={unpaidLabels[invoice.state]} tone="neutral" meaning={t.subscription_status_chips.only_a_paid_invoice_earns} />;
  }
}

const unpaidLabels: Readonly<Record<SubscriptionInvoice['state'], string>> = {
  paid: t.subscription_status_chips.paid,
  open: t.subscription_status_chips.open,
  failed: t.subscription_status_chips.failed,
  void: t.subscription_status_chips.void,
  uncollectible: t.subscription_status_chips.uncollectible,
};
